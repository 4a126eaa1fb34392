// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.StepOutput.Status;
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
     * once: a way through the queues costs more than most steps. But only so many in a row, and none when the worker is
     * due to look at the far ends of its queues, so that others wait no longer than behind one long step.
     *
     * From begin() to end() the worker says that it runs the process, so all user code, that of handlers and close
     * included, is watched. This is the one place that catches what processes and handlers throw; nothing they throw
     * passes it.
     */

    /** How many turns a process may take in a row: enough for the way through the queues to be a small part of each. */
    static final int TURNS_IN_ROW_MAX = 64;

    private final Scheduler scheduler;
    private final Worker worker;
    private final WorkerQueues queues;
    private final WorkerCounters counters;
    private final int index;
    private final HandlerTable handlers;
    private final int budget;
    final Events events;
    private final Carried carried;

    /** Whether {@link #carried} has anything to do before a turn. */
    private final boolean binds;

    final StepOutput out;
    private final int turnsInRowMax;

    /** The handler that was looked up last, and for what: most commands of a process, or of many, are of one class. */
    private @Nullable Class<?> lastCommand;

    private @Nullable Handler<Command> lastHandler;

    private int turnsInRow;

    /** What handlers answered on the spot, linked from the newest to the oldest; not in any queue. */
    private @Nullable EventNode atHand;

    /** Whether the process of this turn is still in this worker's hands: not asleep, not in a queue, not ended. */
    private boolean owned;

    Stepper(Scheduler scheduler, Worker worker) {
        this.scheduler = scheduler;
        this.worker = worker;
        this.queues = worker.queues;
        this.counters = worker.counters;
        this.index = worker.index;
        this.handlers = scheduler.handlers;
        this.budget = scheduler.config.eventBudget();
        this.events = new Events.Padded(budget);
        this.carried = new Carried(worker, events);
        this.binds = !scheduler.bindings.isEmpty();
        this.out = new StepOutput.Padded(carried);
        this.turnsInRowMax = scheduler.isThreaded() ? TURNS_IN_ROW_MAX : 1; // who steps by hand wants to see each step
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
            turnsInRow = 1;
            boolean goesOn = turnOrEnd(cell, cell.take(events, budget(cell)));
            while (goesOn) {
                goesOn = turnOrEnd(cell, takeMore(cell));
            }
        } catch (Throwable thrown) {
            rescue(cell, thrown);
        } finally {
            clear();
            worker.end();
        }
    }

    private void clear() {
        events.clear();
        if (!out.isUntouched()) { // else nothing was yielded, and so nothing answered
            out.clear();
            if (atHand != null) {
                atHand = null;
            }
        }
        carried.end();
    }

    /** Hands out what waits for a process that has just had a turn. */
    private @Nullable Kill takeMore(ProcessCell cell) {
        EventNode answers = atHand;
        clear();
        cell.putDown(); // what the last turn got must not be kept by the queue for a whole row
        worker.forgetInterrupt();
        worker.beginAgain();
        if (binds) {
            carried.begin(cell);
        }
        if (cell.takeAnswers(events, budget, answers)) {
            return null;
        }
        putAside(cell, answers);
        return cell.take(events, budget(cell));
    }

    /** Lets the answers at hand wait in the queue; from now on they are in flight like all others. */
    private static void putAside(ProcessCell cell, @Nullable EventNode answers) {
        for (EventNode node = answers; node != null; node = node.next) {
            cell.link((YieldInFlight) node);
        }
        cell.putAside(answers);
    }

    /** Returns whether the process takes another turn at once, as all that follow do. */
    private boolean turnOrEnd(ProcessCell cell, @Nullable Kill kill) {
        if (kill != null) {
            end(cell, ProcessExit.terminated(cell.self(), kill.reason()));
            return false;
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

    private boolean turn(ProcessCell cell) {
        if (!events.isPlain() || cell.isLookingAtMessages()) {
            UpgradeOrder order = order();
            if (order != null && !follow(cell, order)) {
                return false;
            }
            receive(cell);
        }
        if (events.isEmpty() && cell.stepDue == ProcessCell.NO_STEP_DUE) {
            goOn(cell, cell.sleepsAs); // all of it was for a process that is no longer there
            return false;
        }
        events.markFirst(cell.stepDue == ProcessCell.FIRST_STEP_DUE);
        cell.stepDue = ProcessCell.NO_STEP_DUE;
        Throwable thrown = step(cell);
        if (worker.isHalted()) {
            return false; // the shutdown ends this process, or has given it up; no more user code may run here
        }
        if (thrown != null) {
            end(cell, ProcessExit.failed(cell.self(), thrown));
            return false;
        }
        if (out.yields() > 0) {
            dispatch(cell);
            if (worker.isHalted()) {
                return false;
            }
        }
        return follow(cell);
    }

    /** Returns the last order to upgrade among the signals, which come first. */
    private @Nullable UpgradeOrder order() {
        UpgradeOrder order = null;
        for (int i = 0; i < events.size() && events.peek(i) instanceof Signal signal; i++) {
            if (signal instanceof UpgradeOrder last) {
                order = last;
            }
        }
        return order;
    }

    /** Upgrades the process before its step; false if there is nothing to step any more. */
    private boolean follow(ProcessCell cell, UpgradeOrder order) {
        StepOutput.Upgrade upgrade;
        try {
            upgrade = order.follow(Objects.requireNonNull(cell.process(), "upgraded after its end"));
        } catch (Throwable thrown) {
            end(cell, ProcessExit.failed(cell.self(), thrown));
            return false;
        }
        return takeOver(cell, upgrade) && !worker.isHalted();
    }

    /** Sees to the events before the step does, and leaves those that are for it. */
    private void receive(ProcessCell cell) {
        int size = events.size();
        boolean looks = cell.isLookingAtMessages();
        int kept = 0;
        for (int i = 0; i < size; i++) {
            Event event = events.peek(i);
            if (event instanceof YieldInFlight yield) {
                cell.unlink(yield);
                yield.tellCancelled(); // if it has timed out; one that was answered is settled
                if (yield.isAbandoned()) {
                    scheduler.routing.lateAnswer();
                    continue;
                }
            } else if (event instanceof Signal signal) {
                if (signal.isRevoked() || signal instanceof UpgradeOrder) {
                    continue;
                }
                if (signal.isCancel()) {
                    cell.tellHandlersCancelled();
                }
            } else if (looks
                    && event instanceof Message message
                    && !cell.extras().admit(message)) {
                continue;
            }
            if (kept != i) {
                events.put(kept, event);
            }
            kept++;
        }
        if (kept != size) {
            events.shrink(kept);
        }
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

    private void dispatch(ProcessCell cell) {
        int yields = out.yields();
        counters.yields += yields;
        worker.forgetInterrupt();
        for (int i = 0; i < yields; i++) {
            Command command = out.command(i);
            var yield = new YieldInFlight(cell, out.tag(i), out.attributes(i));
            carried.beginCommand(yield.attributes());
            yield.dispatcher = this;
            try {
                long timeoutNanos = out.timeoutNanos(i);
                handle(command, yield, timeoutNanos);
                if (timeoutNanos != StepOutput.NO_TIMEOUT && yield.isPending()) {
                    yield.startTimer(new YieldTimeout(scheduler.timers, yield, command.getClass(), timeoutNanos));
                }
            } catch (Throwable thrown) {
                yield.fail(thrown);
            } finally {
                yield.dispatcher = null;
                if (yield != atHand) {
                    cell.link(yield); // before the end of this turn, in which an upgrade must find it
                }
            }
            if (worker.isHalted()) {
                return; // the handler held the worker up until the shutdown gave this process up
            }
        }
        carried.endCommands();
    }

    void handle(Command command, YieldInFlight yield, long timeoutNanos) throws Exception {
        handlers.handle(command, handler(command.getClass()), yield);
    }

    private @Nullable Handler<Command> handler(Class<?> command) {
        if (command != lastCommand) {
            lastHandler = handlers.find(command);
            lastCommand = command;
        }
        return lastHandler;
    }

    /**
     * Any thread that answers a yield which says that this stepper dispatches it. Keeps the answer at hand and returns
     * true if the thread is this worker's, and nothing is in the queue that was there before the answer.
     */
    boolean keep(YieldInFlight answered) {
        if (worker.thread() != Thread.currentThread() || !answered.cell.isNothingQueued()) {
            return false;
        }
        answered.next = atHand;
        atHand = answered;
        return true;
    }

    /** Does what the step said. */
    private boolean follow(ProcessCell cell) {
        if (out.isUntouched()) {
            goOn(cell, ProcessState.IDLE);
            return false;
        }
        return followStatus(cell);
    }

    private boolean followStatus(ProcessCell cell) {
        Status status = out.status();
        if (atHand != null) {
            boolean sleeps = status == Status.IDLE || status == Status.AWAIT;
            if (sleeps && turnsInRow++ < turnsInRowMax && queues.countTurn()) {
                cell.sleepsAs = (byte) (status == Status.IDLE ? ProcessState.IDLE : ProcessState.BLOCKED);
                return true;
            }
            putAside(cell, atHand);
            atHand = null;
        }
        switch (status) {
            case IDLE -> goOn(cell, ProcessState.IDLE);
            case AWAIT -> goOn(cell, ProcessState.BLOCKED);
            case AGAIN -> {
                cell.stepDue = ProcessCell.STEP_DUE;
                pushBehind(cell);
            }
            case DONE -> end(cell, scheduler.ending.done(cell, out.result()));
            case UPGRADE -> {
                if (takeOver(cell, out.upgrade())) {
                    pushBehind(cell);
                }
            }
        }
        return false;
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
        owned = false;
        worker.pushBehind(cell);
    }

    /** Puts the next process in the place of this one; false if it failed, and has ended. */
    private boolean takeOver(ProcessCell cell, StepOutput.Upgrade upgrade) {
        worker.forgetInterrupt();
        if (!upgrade.keepsYields()) {
            cell.abandonYields();
            cell.mayWakeInVain = true;
        }
        cell.upgradeExtras(upgrade.keepsYields());
        Process old = cell.process();
        cell.replace(upgrade.next(), upgrade.method());
        if (old != null) {
            scheduler.ending.close(cell, old);
        }
        try {
            upgrade.next().init(cell, upgrade.method(), upgrade.input());
        } catch (Throwable thrown) {
            end(cell, ProcessExit.failed(cell.self(), thrown));
            return false;
        }
        return true;
    }

    private void end(ProcessCell cell, Outcome outcome) {
        owned = false;
        worker.forgetInterrupt();
        scheduler.ending.end(cell, outcome);
    }

    /** With room behind it: see {@link Padding}. */
    static final class Padded extends Stepper {
        long b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15;

        Padded(Scheduler scheduler, Worker worker) {
            super(scheduler, worker);
        }
    }
}
