// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Message;
import dev.treadle.ProcessContext;
import java.util.Collection;
import java.util.List;
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
        List<Message> asked = takeAll(child.waitForStart);
        boolean isOver = !child.isRestart;
        if (isOver && child.wasStarted) {
            child.isKeptStopped = true;
            child.show(SupervisionTree.State.STOPPED, null);
        } else if (isOver) {
            supervisor.noLongerInitial(child);
            children.forget(child);
        }
        asked.forEach(message -> fail(message, reason));
        return isOver;
    }

    /** A child that was to be stopped is no more. */
    void stopped(SupervisorChild child) {
        List<Message> askedForEnd = takeAll(child.waitForEnd);
        settle(child);
        askedForEnd.forEach(message -> reply(message, null));
    }

    private void settle(SupervisorChild child) {
        boolean isTemporary = child.spec.restart() == Restart.TEMPORARY;
        boolean isAskedFor = !child.waitForStart.isEmpty();
        if (child.next == SupervisorChild.Next.START && (!isTemporary || isAskedFor)) {
            supervisor.startAt(child, child.startNanos);
            return;
        }
        List<Message> askedForStart = takeAll(child.waitForStart);
        supervisor.noLongerInitial(child);
        child.isRestart = false;
        child.isKeptStopped = true;
        child.show(SupervisionTree.State.STOPPED, null);
        if (isTemporary || child.next == SupervisorChild.Next.FORGET) {
            children.forget(child);
        }
        askedForStart.forEach(message -> fail(
                message,
                new IllegalStateException("child \"" + child.spec.id() + "\" of supervisor " + context.self()
                        + " was stopped before it had started: somebody asked for that")));
    }

    /** Who waits is told last, when all is as they hear it is. */
    private static List<Message> takeAll(Collection<Message> waiting) {
        List<Message> all = List.copyOf(waiting);
        waiting.clear();
        return all;
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
