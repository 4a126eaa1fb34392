// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Message;
import dev.treadle.ProcessContext;
import org.jspecify.annotations.Nullable;

/** What a supervisor is asked for while it runs, and who waits for a reply. */
final class SupervisorRequests {
    private final SupervisorLife supervisor;
    private final ProcessContext context;
    private final SupervisorChildren children;

    SupervisorRequests(SupervisorLife supervisor, ProcessContext context, SupervisorChildren children) {
        this.supervisor = supervisor;
        this.context = context;
        this.children = children;
    }

    void handle(Message message, SupervisorRequest request) {
        if (request instanceof SupervisorRequest.Children) {
            reply(message, supervisor.entries());
        } else if (supervisor.isEnding()) {
            fail(
                    message,
                    new IllegalStateException(
                            "supervisor " + context.self()
                                    + " is stopping, it can be asked for changes only before that: ask the one that is started next"));
        } else if (request instanceof SupervisorRequest.Start start) {
            start(message, start.spec());
        } else if (request instanceof SupervisorRequest.Stop stop) {
            SupervisorChild child = known(message, stop.id());
            if (child != null) {
                stop(message, child, stop.isForgotten() ? SupervisorChild.Next.FORGET : SupervisorChild.Next.KEEP);
            }
        } else if (request instanceof SupervisorRequest.StartAgain again) {
            SupervisorChild child = known(message, again.id());
            if (child != null) {
                startAgain(message, child);
            }
        }
    }

    private @Nullable SupervisorChild known(Message message, String id) {
        SupervisorChild child = children.find(id);
        if (child == null) {
            fail(
                    message,
                    new IllegalArgumentException("child \"" + id + "\" is not one of supervisor " + context.self()
                            + ": see its children in node.tree()"));
        }
        return child;
    }

    private void start(Message message, ChildSpec spec) {
        if (children.find(spec.id()) != null) {
            fail(
                    message,
                    new IllegalArgumentException("child \"" + spec.id() + "\" is one of supervisor " + context.self()
                            + " already, an id can be used once: restart or remove that one, or use another id"));
            return;
        }
        SupervisorChild child = children.add(spec);
        child.waitForStart.add(message);
        supervisor.startAt(child, supervisor.nowNanos());
    }

    private void stop(Message message, SupervisorChild child, SupervisorChild.Next next) {
        child.waitForEnd.add(message);
        if (child.next != SupervisorChild.Next.FORGET || !child.isStopWanted) { // what is forgotten stays so
            child.next = next;
        }
        if (child.isAlive()) {
            supervisor.stop(child);
        } else {
            children.dropStart(child);
            stopped(child);
        }
    }

    private void startAgain(Message message, SupervisorChild child) {
        if (child.isStopWanted && child.next == SupervisorChild.Next.FORGET) {
            fail(
                    message,
                    new IllegalStateException("child \"" + child.spec.id() + "\" of supervisor " + context.self()
                            + " is being removed: start it with its specification once that is done"));
            return;
        }
        child.waitForStart.add(message);
        child.next = SupervisorChild.Next.START;
        if (child.isAlive()) {
            supervisor.stop(child);
        } else {
            supervisor.startAt(child, supervisor.nowNanos());
        }
    }

    /** A child has started. */
    void started(SupervisorChild child) {
        child.waitForStart.forEach(message -> reply(message, child.pid()));
        child.waitForStart.clear();
    }

    /** A child did not start. False if the rules apply: nobody asked for it, or it was due to be started anyway. */
    boolean startFailed(SupervisorChild child, Throwable reason) {
        if (child.waitForStart.isEmpty()) {
            return false;
        }
        child.waitForStart.forEach(message -> fail(message, reason));
        child.waitForStart.clear();
        if (child.isRestart) {
            return false;
        }
        if (child.wasStarted) {
            child.isKeptStopped = true;
        } else {
            supervisor.noLongerInitial(child);
            children.forget(child);
        }
        return true;
    }

    /** A child that was to be stopped is no more. */
    void stopped(SupervisorChild child) {
        child.waitForEnd.forEach(message -> reply(message, null));
        child.waitForEnd.clear();
        boolean isTemporary = child.spec.restart() == Restart.TEMPORARY;
        boolean isAskedFor = !child.waitForStart.isEmpty();
        if (child.next == SupervisorChild.Next.START && (!isTemporary || isAskedFor)) {
            supervisor.startAt(child, child.startNanos);
            return;
        }
        supervisor.noLongerInitial(child);
        child.waitForStart.forEach(message -> fail(
                message,
                new IllegalStateException("child \"" + child.spec.id() + "\" of supervisor " + context.self()
                        + " was stopped before it had started: somebody asked for that")));
        child.waitForStart.clear();
        child.isRestart = false;
        child.isKeptStopped = true;
        child.show(SupervisionTree.State.STOPPED, null);
        if (isTemporary || child.next == SupervisorChild.Next.FORGET) {
            children.forget(child);
        }
    }

    private void reply(Message message, @Nullable Object payload) {
        if (message.isRequest()) {
            context.reply(message, payload);
        }
    }

    private void fail(Message message, Throwable reason) {
        if (message.isRequest()) {
            context.replyError(message, reason);
        }
    }
}
