// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Runs one turn of a process: hands out its events, steps it, dispatches its commands, and sees what it does next. */
class Stepper extends Padding {
    /*
     * The turn of a process that is READY and in this worker's hands:
     *
     *   take events --> step --> dispatch yields --> done?  end
     *        |            |                          again? push behind
     *        |            +-- throws: end            idle, await: sleep, or push behind if its event is here already
     *        +-- Kill: end                           upgrade: close old, init new, push behind
     *        +-- UpgradeOrder: close old, init new, which gets the step
     *
     * A process that goes to sleep while an answer that a handler gave on the spot is at hand takes its next turn at
     * once: a way through the queues costs more than most steps. A row ends when the worker is due to look at the far ends
     * of its queues, so that others wait no longer than behind one long step. Most rows are of turns that get one answer and
     * yield one command; they have a loop of their own.
     *
     * From begin() to end() the worker says that it runs the process, so all user code, that of handlers and close
     * included, is watched. What processes and handlers throw is caught here, or nearer to where they are called
     * (CommandDispatch, ProcessUpgrade, ProcessEnding); nothing they throw passes this class.
     */

    private static final VarHandle RUNNING =
            fieldVarHandle(MethodHandles.lookup(), "running", VarHandle.class, Stepper.class, ProcessCell.class);

    private final Scheduler scheduler;
    private final Worker worker;
    private final WorkerQueues queues;
    private final WorkerCounters counters;
    private final int index;
    private final CommandDispatch dispatch;
    private final int budget;
    final EventBatch events;
    private final Carried carried;

    /** Whether {@link #carried} has anything to do before a turn. */
    private final boolean binds;

    final StepOutput out;

    /** Whether a process may take several turns in a row: who steps by hand wants to see each. */
    private final boolean allowsRows;

    private final ProcessUpgrade upgrade;

    /** The process whose code runs, or null. Others look. */
    private @Nullable ProcessCell running;

    /** Whether the process of this turn is still in this worker's hands: not asleep, not in a queue, not ended. */
    private boolean owned;

    Stepper(Scheduler scheduler, Worker worker) {
        this.scheduler = scheduler;
        this.worker = worker;
        this.queues = worker.queues;
        this.counters = worker.counters;
        this.index = worker.index;
        this.budget = scheduler.config.eventBudget();
        this.events = new EventBatch.Padded(budget);
        this.carried = new Carried(worker, events);
        this.binds = !scheduler.bindings.isEmpty();
        this.out = new StepOutput.Padded(carried);
        this.dispatch = new CommandDispatch.Padded(worker, out, carried);
        this.allowsRows = scheduler.isThreaded();
        this.upgrade = new ProcessUpgrade(scheduler, worker);
    }

    /** The worker's thread: what goes along with something that the process of this turn does now. */
    Map<String, Object> carried() {
        return carried.now();
    }

    /** The worker's thread. */
    void run(ProcessCell cell) {
        if (!Invariants.taken(cell)) {
            return;
        }
        owned = true;
        cell.setWorker(index);
        worker.begin(cell);
        if (binds) {
            carried.begin(cell);
        }
        try {
            if (cell.probe != 0) {
                scheduler.group.probe.finish(cell);
            }
            if (cell.mayWakeInVain
                    && cell.stepDue == ProcessCell.NO_STEP_DUE
                    && cell.sleepsAs == ProcessState.BLOCKED
                    && isWokenInVain(cell)) {
                goOn(cell, ProcessState.BLOCKED);
                return;
            }
            Completion answers = turnOrEnd(cell, cell.take(events, budget(cell)));
            while (answers != null) {
                answers = answers.next == null && !carried.isInUse() && cell.isNothingQueued()
                        ? row(cell, answers)
                        : turnOrEnd(cell, takeMore(cell, answers));
            }
        } catch (Throwable thrown) {
            rescue(cell, thrown);
        } finally {
            events.clear();
            worker.end();
        }
    }

    /**
     * Turns that get one answer and yield one command each, which is answered on the spot: the most usual row. What only other
     * turns need is left out. It begins when nothing waits but that answer. Returns what the first turn that is another gives.
     */
    private @Nullable Completion row(ProcessCell cell, Completion first) {
        StepOutput out = this.out;
        Worker worker = this.worker;
        Completion answer = first;
        cell.putDown(); // what the turn before the row got must not be kept by the queue
        events.clear();
        events.takeOnly(answer);
        do {
            worker.forgetInterrupt();
            worker.beginAgain();
            events.takeNext(answer);
            Throwable thrown = step(cell);
            if (thrown != null || !out.isOneCommand() || worker.isHalted()) {
                return followAndClear(cell, thrown);
            }
            out.clearOneCommand(); // first: memory may run out, and the next process uses the same
            Completion next = dispatch.dispatchOnly(cell);
            if (worker.isHalted()) {
                carried.end();
                return null;
            }
            if (next == null) {
                goOn(cell, ProcessState.BLOCKED);
                return null;
            }
            if (!queues.countTurn()) {
                putAside(cell, next);
                goOn(cell, ProcessState.BLOCKED);
                return null;
            }
            answer = next;
        } while (answer instanceof FunctionAnswer
                || cell.isNothingQueued()); // the former was made when nothing was, just now
        cell.sleepsAs = (byte) ProcessState.BLOCKED;
        return turnOrEnd(cell, takeMore(cell, answer));
    }

    /** Whether the process may take another turn at once, which then counts as one of the worker's. */
    private boolean mayGoOnInRow() {
        return allowsRows && queues.countTurn();
    }

    /** Hands out what waits for a process that has just had a turn: answers on the spot, or all else that came before. */
    private @Nullable Kill takeMore(ProcessCell cell, Completion answers) {
        events.clear();
        worker.forgetInterrupt();
        worker.beginAgain();
        if (binds) {
            carried.begin(cell);
        }
        cell.putDown(); // what the last turn got must not be kept by the queue for a whole row
        if (cell.takeAnswers(events, budget, answers)) {
            return null;
        }
        putAside(cell, answers);
        return cell.take(events, budget(cell));
    }

    /** Lets the answers at hand wait in the queue; from now on they are in flight like all others. */
    private static void putAside(ProcessCell cell, Completion answers) {
        EventNode newest = null;
        EventNode newer = null;
        for (EventNode node = answers; node != null; node = node.next) {
            YieldInFlight yield = node instanceof FunctionAnswer answer ? answer.inFlight(cell) : (YieldInFlight) node;
            if (newer == null) {
                newest = yield;
            } else {
                newer.next = yield;
            }
            yield.next = node.next;
            newer = yield;
            cell.link(yield);
        }
        cell.putAside(newest);
    }

    /** Returns the answers with which the process takes another turn at once, newest first; null if it does not. */
    private @Nullable Completion turnOrEnd(ProcessCell cell, @Nullable Kill kill) {
        if (kill != null) {
            end(cell, ProcessExit.terminated(cell.self(), kill.reason()));
            return null;
        }
        return turn(cell);
    }

    /** Something failed that is not user code: memory ran out, most likely. The process may end by it, the worker not. */
    private void rescue(ProcessCell cell, Throwable thrown) {
        worker.forgetInterrupt();
        try {
            scheduler.listeners.failed("the turn of process " + cell.self(), thrown);
        } finally {
            if (owned) { // to say so takes memory too
                end(cell, ProcessExit.failed(cell.self(), thrown));
            }
            carried.end();
        }
    }

    /** Whether nothing has woken one that awaits but what no step is to get: that is dropped. */
    private boolean isWokenInVain(ProcessCell cell) {
        Backlog waiting = cell.takeAside();
        for (int late = waiting.dropUnwanted(); late > 0; late--) {
            scheduler.routing.lateAnswer();
        }
        return !waiting.hasUrgent() && waiting.kill() == null;
    }

    private @Nullable Completion turn(ProcessCell cell) {
        EventBatch events = this.events;
        StepOutput out = this.out;
        if (!events.isPlain() || cell.isLookingAtMessages()) {
            UpgradeOrder order = ProcessUpgrade.orderIn(events);
            if (order != null && !obey(cell, order)) {
                carried.end();
                return null;
            }
            receive(cell);
        }
        if (cell.stepDue != ProcessCell.NO_STEP_DUE) {
            events.markFirst(cell.stepDue == ProcessCell.FIRST_STEP_DUE);
            cell.stepDue = ProcessCell.NO_STEP_DUE;
        } else if (events.isEmpty()) {
            goOn(cell, cell.sleepsAs); // all of it was for a process that is no longer there
            return null;
        }
        Throwable thrown = step(cell);
        if (thrown == null && out.isUntouched() && !worker.isHalted()) {
            goOn(cell, ProcessState.IDLE);
            return null;
        }
        return followAndClear(cell, thrown);
    }

    private @Nullable Completion followAndClear(ProcessCell cell, @Nullable Throwable thrown) {
        try {
            return follow(cell, thrown);
        } finally {
            out.clear();
            carried.end();
        }
    }

    /** Upgrades the process before its step; false if there is nothing to step any more. */
    private boolean obey(ProcessCell cell, UpgradeOrder order) {
        Throwable thrown = upgrade.follow(cell, order);
        if (thrown != null) {
            end(cell, ProcessExit.failed(cell.self(), thrown), events); // what came with the order was for a step
            return false;
        }
        return !worker.isHalted();
    }

    /** Sees to the events before the step does, and leaves those that are for it. */
    private void receive(ProcessCell cell) {
        boolean looks = cell.isLookingAtMessages();
        int kept = 0;
        for (int i = 0; i < events.size(); i++) {
            Event event = events.peek(i);
            if (isForStep(cell, event, looks)) {
                events.keep(kept++, event);
            }
        }
        events.shrink(kept);
    }

    private boolean isForStep(ProcessCell cell, Event event, boolean looks) {
        if (event instanceof YieldInFlight yield) {
            cell.unlink(yield);
            yield.tellCancelled(); // if it has timed out; one that was answered is settled
            if (yield.isAbandoned()) {
                scheduler.routing.lateAnswer();
                return false;
            }
        } else if (event instanceof Signal signal) {
            if (signal.isRevoked() || signal instanceof UpgradeOrder) {
                return false;
            }
            if (signal.isCancel()) {
                cell.tellHandlersCancelled();
            }
        } else if (looks && event instanceof Message message) {
            return cell.extras().admit(message);
        }
        return true;
    }

    /** How many events the turn of a process gets at the most. */
    int budget(ProcessCell cell) {
        return budget;
    }

    @Nullable
    Throwable step(ProcessCell cell) {
        counters.steps++;
        counters.events += events.size();
        cell.countStep();
        Process process = Objects.requireNonNull(cell.process(), "stepped after its end");
        out.open();
        try {
            process.step(events, out);
            return null;
        } catch (Throwable thrown) {
            return thrown;
        } finally {
            out.seal();
        }
    }

    /** Does what the step wants. */
    private @Nullable Completion follow(ProcessCell cell, @Nullable Throwable thrown) {
        StepOutput out = this.out;
        Worker worker = this.worker;
        if (worker.isHalted()) {
            return null; // the shutdown ends this process, or has given it up; no more user code may run here
        }
        if (thrown != null) {
            end(cell, ProcessExit.failed(cell.self(), thrown));
            return null;
        }
        if (out.yields() > 0) {
            Completion answers = dispatch.dispatch(cell);
            if (worker.isHalted()) {
                return null;
            }
            if (answers != null) {
                int asleep = out.sleepsAs();
                if (asleep != StepOutput.NO_SLEEP && mayGoOnInRow()) {
                    cell.sleepsAs = (byte) asleep;
                    return answers;
                }
                putAside(cell, answers);
            }
        }
        followStatus(cell);
        return null;
    }

    private void followStatus(ProcessCell cell) {
        switch (out.status()) {
            case IDLE -> goOn(cell, ProcessState.IDLE);
            case AWAIT -> goOn(cell, ProcessState.BLOCKED);
            case AGAIN -> {
                cell.stepDue = ProcessCell.STEP_DUE;
                pushBehind(cell);
            }
            case DONE -> end(cell, scheduler.ending.done(cell, out.result()));
            case UPGRADE -> {
                Throwable thrown = upgrade.takeOver(cell, out.upgrade());
                if (thrown == null) {
                    pushBehind(cell);
                } else {
                    end(cell, ProcessExit.failed(cell.self(), thrown));
                }
            }
        }
    }

    private void goOn(ProcessCell cell, int state) {
        cell.sleepsAs = (byte) state;
        carried.end(); // it may call user code, of which there is none after this turn is left
        queues.leave(worker.turns());
        if (cell.sleep(state)) {
            owned = false;
            queues.slept();
        } else {
            pushBehind(cell);
        }
    }

    private void pushBehind(ProcessCell cell) {
        carried.end(); // it may call user code, and nobody was told of this process until the next one is looked for
        worker.pushBehind(cell);
        owned = false; // not before: if memory runs out for the queue, the process is in none, and ends
    }

    private void end(ProcessCell cell, Outcome outcome) {
        end(cell, outcome, null);
    }

    /** Ends it, and says that no step had these events. */
    private void end(ProcessCell cell, Outcome outcome, @Nullable EventBatch unseen) {
        owned = false;
        worker.forgetInterrupt();
        try {
            scheduler.ending.end(cell, outcome, unseen);
        } finally {
            carried.end();
        }
    }

    /** The worker's thread: the process whose code runs from now on, or null if none does. */
    final void setRunningRelease(@Nullable ProcessCell cell) {
        RUNNING.setRelease(this, cell); // pairs with runningAcquire()
    }

    /** The worker's thread. */
    final @Nullable ProcessCell running() {
        return running;
    }

    /** Any thread. */
    final @Nullable ProcessCell runningAcquire() {
        return (ProcessCell) RUNNING.getAcquire(this);
    }

    /** Between turns, now and then: keeps nothing of the last ones. */
    void forget() {
        events.forget();
        out.forgetCommand();
    }

    /** With room behind it: see {@link Padding}. */
    static final class Padded extends Stepper {
        long b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15;

        Padded(Scheduler scheduler, Worker worker) {
            super(scheduler, worker);
        }
    }
}
