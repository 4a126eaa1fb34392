// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;

/** Ends processes: closes them, tells whoever waits, and accounts for what they leave behind. */
final class ProcessEnding {
    private final Scheduler scheduler;

    ProcessEnding(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Returns what {@link #end} needs to know of a process that is done. */
    Outcome done(ProcessCell cell, @Nullable Object result) {
        return scheduler.listeners.isEmpty() ? Outcome.done(result) : ProcessExit.done(cell.self(), result);
    }

    /** The owner of the process, once. When this returns nothing of the process is left here. */
    void end(ProcessCell cell, Outcome outcome) {
        end(cell, outcome, null);
    }

    /** The same, of one whose step these events were taken for, and that did not have it: they are unread, too. */
    void end(ProcessCell cell, Outcome outcome, @Nullable EventBatch unseen) {
        try {
            Backlog unread = cell.finish();
            scheduler.deadlines.drop(cell);
            cell.abandonYields();
            cell.endExtras();
            Process process = cell.process();
            if (process != null) {
                close(cell, process);
            }
            if (unseen != null) {
                unseen.forEach(event -> discard(cell, event));
            }
            discard(cell, unread);
        } finally {
            complete(cell, outcome); // whatever failed, memory most likely, those who wait are to hear of the end
            cell.release();
        }
    }

    /** The submitter of a process that was never born: nobody hears of it but itself and those who sent it messages. */
    void giveUp(ProcessCell cell, @Nullable Process process) {
        Backlog unread = cell.finish();
        cell.endExtras();
        if (process != null) {
            close(cell, process);
        }
        discard(cell, unread);
        cell.release();
    }

    /** Calls {@link Process#close}, and keeps what it throws. */
    void close(ProcessCell cell, Process process) {
        AttributeBinding.Scope scope = scheduler.bindings.bind(cell.attributes());
        try {
            process.close();
        } catch (Throwable thrown) {
            scheduler.listeners.failed("close() of process " + cell.self(), thrown);
        } finally {
            scope.close();
        }
    }

    private void discard(ProcessCell cell, @Nullable Backlog unread) {
        if (unread == null) {
            return;
        }
        for (Event event = unread.poll(); event != null; event = unread.poll()) {
            discard(cell, event);
        }
    }

    private void discard(ProcessCell cell, Event event) {
        if (event instanceof Message message) {
            scheduler.routing.deadLetter(cell, message, DeadLetter.Reason.UNREAD);
            if (message.origin() instanceof Request request) {
                scheduler.routing.failUnanswered(cell, request);
            }
        } else if (event instanceof Completion) {
            scheduler.routing.lateAnswer();
        }
    }

    /** Whoever ends the process, or gives it up: takes it off the table and tells whoever waits, unless that was done. */
    void complete(ProcessCell cell, Outcome outcome) {
        if (takeOff(cell)) {
            tell(cell, outcome);
        }
    }

    /** Takes a process off the table. Of several who try, one gets true, and must {@link #tell}. */
    @CheckReturnValue
    boolean takeOff(ProcessCell cell) {
        if (!scheduler.table.remove(cell)) {
            return false;
        }
        scheduler.table.unreserve();
        return true;
    }

    /** Whoever took the process off the table: tells listeners, and those who wait for the result. Runs user code. */
    void tell(ProcessCell cell, Outcome outcome) {
        scheduler.countCompleted();
        if (outcome instanceof ProcessExit exit) {
            scheduler.listeners.onComplete(exit, cell.isAwaited());
        }
        cell.settle(outcome);
        scheduler.shutdown.ended();
    }
}
