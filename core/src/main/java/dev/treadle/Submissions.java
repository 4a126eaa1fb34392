// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.SubmissionRefusedException.Reason;

/** The steps of starting a process that run user code, and the reasons why one is refused. */
final class Submissions {
    private Submissions() {}

    /** The submitter: initialises a process. What it throws is thrown, a checked exception in a wrapper. */
    static void init(ProcessCell cell, Submission submission) {
        AttributeBinding.Scope scope = cell.scheduler.bindings.bind(cell.attributes());
        try {
            submission.process().init(cell, submission.method(), submission.input());
        } catch (RuntimeException | Error unchecked) {
            throw unchecked;
        } catch (Exception checked) {
            throw new InitFailedException(submission.process().getClass().getTypeName(), submission.method(), checked);
        } finally {
            scope.close();
        }
    }

    /** The submitter: lets the listeners refuse a process. */
    static void askListeners(Listeners listeners, ProcessCell cell, Process process) {
        if (listeners.isEmpty()) {
            return;
        }
        try {
            listeners.onStart(cell.infoAtStart(process));
        } catch (Throwable refusal) {
            throw new SubmissionRefusedException(
                    Reason.LISTENER, "a listener refused process " + cell.self() + ": see the cause", refusal);
        }
    }

    static SubmissionRefusedException stopping(String scheduler) {
        return new SubmissionRefusedException(
                Reason.STOPPING,
                "scheduler \"" + scheduler
                        + "\" is shutting down and takes no more processes: submit before shutdown()",
                null);
    }

    static SubmissionRefusedException tooMany(String scheduler, int maxProcesses) {
        return new SubmissionRefusedException(
                Reason.TOO_MANY_PROCESSES,
                "scheduler \"" + scheduler + "\" has " + maxProcesses
                        + " processes, the most that maxProcesses allows: wait for some to end, or raise it",
                null);
    }

    static SubmissionRefusedException duplicate(Pid pid) {
        return new SubmissionRefusedException(
                Reason.DUPLICATE_PID,
                "a process with pid " + pid + " is alive, an id can be used once: choose another, or let the scheduler",
                null);
    }
}
