// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the rules say becomes of a tree when one process of it ends: written anew, in the simplest way. */
final class SupervisorModel {
    final SupervisorForest.Branch plan;
    final List<Child> children = new ArrayList<>();
    private final @Nullable SupervisorModel above;
    private final List<Long> restartTimes = new ArrayList<>();
    private long restarts;

    SupervisorModel(SupervisorForest.Branch plan, @Nullable SupervisorModel above) {
        this.plan = plan;
        this.above = above;
        plan.children().forEach(child -> children.add(new Child(child)));
    }

    final class Child {
        final SupervisorForest.Plan plan;
        boolean isRunning;
        long restarts;

        @Nullable
        SupervisorModel below;

        Child(SupervisorForest.Plan plan) {
            this.plan = plan;
            start();
        }

        private void start() {
            isRunning = true;
            below = plan.branch() == null ? null : new SupervisorModel(plan.branch(), SupervisorModel.this);
        }

        private void restart() {
            restarts++;
            start();
        }

        SupervisorModel owner() {
            return SupervisorModel.this;
        }
    }

    /** One child ends by itself, and all that follows from it has happened. */
    void end(Child child, boolean isDone, long nowNanos) {
        boolean isRestarted =
                child.plan.restart() == Restart.PERMANENT || (child.plan.restart() == Restart.TRANSIENT && !isDone);
        child.isRunning = false;
        child.below = null;
        if (child.plan.restart() == Restart.TEMPORARY) {
            children.remove(child);
        }
        if (!isRestarted) {
            return;
        }
        restarts++;
        restartTimes.removeIf(time -> nowNanos - time > SupervisorForest.PERIOD.toNanos());
        restartTimes.add(nowNanos);
        if (restartTimes.size() > plan.intensity()) {
            for (Child self : List.copyOf(above.children)) {
                if (self.below == this) {
                    above.end(self, false, nowNanos);
                }
            }
            return;
        }
        int first = switch (plan.strategy()) {
            case ONE_FOR_ONE, REST_FOR_ONE -> children.indexOf(child);
            case ONE_FOR_ALL -> 0;
        };
        List<Child> group = plan.strategy() == SupervisorStrategy.ONE_FOR_ONE
                ? List.of(child)
                : List.copyOf(children.subList(first, children.size()));
        for (Child each : group) {
            if (each.plan.restart() == Restart.TEMPORARY) {
                children.remove(each);
            } else {
                each.restart();
            }
        }
    }

    /** All children that run, of all supervisors. */
    List<Child> running() {
        List<Child> running = new ArrayList<>();
        for (Child child : children) {
            if (child.isRunning) {
                running.add(child);
                if (child.below != null) {
                    running.addAll(child.below.running());
                }
            }
        }
        return running;
    }

    /** In the words of {@link #describe}. */
    String describe() {
        var text = new StringBuilder();
        describe(text);
        return text.toString();
    }

    private void describe(StringBuilder text) {
        text.append(plan.strategy()).append(' ').append(restarts).append('\n');
        for (Child child : children) {
            text.append(child.plan.id()).append(child.isRunning ? " RUNNING " : " STOPPED ");
            text.append(child.restarts).append('\n');
            if (child.below != null) {
                child.below.describe(text);
            }
        }
    }

    /** The tree that a node shows, in the same words. */
    static String describe(SupervisionTree.Entry supervisor) {
        var text = new StringBuilder();
        describe(supervisor, text);
        return text.toString();
    }

    private static void describe(SupervisionTree.Entry supervisor, StringBuilder text) {
        text.append(supervisor.supervisor().strategy()).append(' ');
        text.append(supervisor.supervisor().restarts()).append('\n');
        for (SupervisionTree.Entry child : supervisor.children()) {
            text.append(child.id()).append(' ').append(child.state()).append(' ');
            text.append(child.restarts()).append('\n');
            if (child.supervisor() != null) {
                describe(child, text);
            }
        }
    }
}
