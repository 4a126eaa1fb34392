// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.SubmissionRefusedException.Reason;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How a process gets into its scheduler: a place in the table, its {@code init}, the listeners, a queue; or a refusal. */
final class Submissions {
    private final Scheduler scheduler;
    private final Shutdown shutdown;
    private final ProcessIds ids;
    private final LongAdder outside = new LongAdder();

    Submissions(Scheduler scheduler, Shutdown shutdown) {
        this.scheduler = scheduler;
        this.shutdown = shutdown;
        this.ids = new ProcessIds(scheduler.config.firstId(), scheduler.config.workers());
    }

    /**
     * Any thread. Starts a process; its {@code init} runs here.
     *
     * @param options what was said of it besides; null if nothing was, and then no {@link Submission} is needed
     */
    ProcessRef submit(
            Process process,
            String method,
            Payloads input,
            @Nullable Submission options,
            @Nullable ProcessCell parent) {
        Submission.check(process, method);
        if (!Invariants.ON) {
            return admit(process, method, input, options, parent);
        }
        scheduler.invariants.beginSubmission();
        try {
            return admit(process, method, input, options, parent);
        } finally {
            scheduler.invariants.endSubmission();
        }
    }

    private ProcessRef admit(
            Process process,
            String method,
            Payloads input,
            @Nullable Submission options,
            @Nullable ProcessCell parent) {
        if (shutdown.isStopping()) {
            throw stopping();
        }
        Worker worker = scheduler.routing.currentWorker();
        if (worker == null) {
            StackRoom.ensure(); // what is in the table must be pushed or taken off; a worker sees to that later
        }
        ProcessCell cell = newCell(process, method, options, parent, worker);
        if (!scheduler.table.reserve()) {
            throw tooMany();
        }
        boolean inited = false;
        boolean started = false;
        boolean settled = false;
        try {
            add(cell);
            try {
                inited = true;
                init(cell, process, method, input);
                askListeners(cell, process);
                if (worker != null) {
                    worker.queues.published = false;
                }
                started = cell.open();
            } finally {
                if (!started) {
                    giveUp(cell, process);
                    settled = true;
                }
            }
            if (!started) {
                throw stopping();
            }
            tell(cell, options, parent);
            push(cell, worker);
            settled = true;
            return new ProcessRef(cell);
        } catch (StackOverflowError | OutOfMemoryError e) {
            if (!settled
                    && worker != null
                    && !(started && worker.queues.published)
                    && worker.stranded.count < Stranded.MAX) {
                worker.stranded.inited[worker.stranded.count] = inited; // no call: see Stranded
                worker.stranded.cells[worker.stranded.count++] = cell;
            }
            throw e;
        }
    }

    private ProcessCell newCell(
            Process process,
            String method,
            @Nullable Submission options,
            @Nullable ProcessCell parent,
            @Nullable Worker worker) {
        long id = options != null && options.hasId() ? options.id() : nextId(worker);
        long now = worker == null ? scheduler.config.time().nanos() : worker.turnNanos();
        var cell = new ProcessCell(scheduler, id, process, method, options, parent, now);
        scheduler.routing.carries(cell.attributes());
        return cell;
    }

    /** Takes the place of a cell in the table, where nobody sees it before it is open. */
    private void add(ProcessCell cell) {
        ProcessTable.Add add = scheduler.table.add(cell);
        if (add != ProcessTable.Add.ADDED) {
            scheduler.table.unreserve();
            throw add == ProcessTable.Add.CLOSED ? stopping() : duplicate(cell.self());
        }
    }

    /** What is there before the first step. */
    private void tell(ProcessCell cell, @Nullable Submission options, @Nullable ProcessCell parent) {
        if (options != null) {
            for (Message message : options.messages()) {
                scheduler.routing.sendAtStart(cell, parent, message);
            }
        }
        if (shutdown.isStopping()) {
            // The shutdown may have asked all processes to end before this one could hear it.
            scheduler.signalCancel(cell, Shutdown.REASON);
        }
    }

    private void push(ProcessCell cell, @Nullable Worker worker) {
        if (worker == null) {
            outside.increment();
            scheduler.group.pushFromOutside(cell);
        } else {
            worker.counters.submitted++;
            worker.wake(cell);
        }
    }

    private void giveUp(ProcessCell cell, Process process) {
        scheduler.ending.giveUp(cell, process);
        if (scheduler.table.remove(cell)) {
            scheduler.table.unreserve();
        }
        shutdown.ended();
    }

    /**
     * The worker, when its stack is short again: gives up a process whose start was cut off before it was open. If that was
     * begun already, what is left of it in the table goes.
     *
     * @param inited whether its {@code init} was called, so that its {@code close} must be
     */
    void giveUpAfterAll(ProcessCell cell, boolean inited) {
        if (cell.isUnborn()) {
            scheduler.ending.giveUp(cell, inited ? cell.process() : null);
        }
        if (scheduler.table.forget(cell)) {
            scheduler.table.unreserve();
        }
        shutdown.ended();
    }

    private long nextId(@Nullable Worker worker) {
        return worker == null ? ids.next() : worker.nextId(ids);
    }

    /** How many processes were started by threads that are no workers. */
    long outside() {
        return outside.sum();
    }

    /** The submitter: initialises a process. What it throws is thrown, a checked exception in a wrapper. */
    private void init(ProcessCell cell, Process process, String method, Payloads input) {
        AttributeBinding.Scope scope = scheduler.bindings.bind(cell.attributes());
        try {
            process.init(cell, method, input);
        } catch (RuntimeException | Error unchecked) {
            throw unchecked;
        } catch (Exception checked) {
            throw new InitFailedException(process.getClass().getTypeName(), method, checked);
        } finally {
            scope.close();
        }
    }

    /** The submitter: lets the listeners refuse a process. */
    private void askListeners(ProcessCell cell, Process process) {
        Listeners listeners = scheduler.listeners;
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

    private SubmissionRefusedException stopping() {
        return new SubmissionRefusedException(
                Reason.STOPPING,
                "scheduler \"" + scheduler.name()
                        + "\" is shutting down and takes no more processes: submit before shutdown()",
                null);
    }

    private SubmissionRefusedException tooMany() {
        return new SubmissionRefusedException(
                Reason.TOO_MANY_PROCESSES,
                "scheduler \"" + scheduler.name() + "\" has " + scheduler.config.maxProcesses()
                        + " processes, the most that maxProcesses allows: wait for some to end, or raise it",
                null);
    }

    private static SubmissionRefusedException duplicate(Pid pid) {
        return new SubmissionRefusedException(
                Reason.DUPLICATE_PID,
                "a process with pid " + pid + " is alive, an id can be used once: choose another, or let the scheduler",
                null);
    }
}
