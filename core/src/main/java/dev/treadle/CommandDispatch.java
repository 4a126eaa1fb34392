// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Gives the commands of a step to their handlers. One per worker, whose thread alone uses it, but for {@link #keeps}. */
sealed class CommandDispatch extends Padding {
    /*
     * A function whose result is the answer is called first, and its answer needs nothing that others answer to: it is a
     * FunctionAnswer, of half the size and without a compare-and-set, unless it has to wait in the queue or carries attributes.
     *
     * An answer that a handler gives on the spot, on the worker's thread, does not go through the queue of the process if
     * nothing is in there: it is kept at hand, and the stepper decides where it goes. It says so itself (isAtHand), and the
     * chain of them is handed on as a value, not in a field, which would cost what a collector does for each reference.
     */
    private final Scheduler scheduler;
    private final Worker worker;
    private final WorkerCounters counters;
    private final HandlerTable handlers;
    private final @Nullable Director director;
    private final StepOutput out;
    private final Carried carried;

    /** The handler that was looked up last, and for what: most commands of a process, or of many, are of one class. */
    private @Nullable Class<?> lastCommand;

    private @Nullable Handler<Command> lastHandler;

    /** The function behind that handler, if the worker may call it. */
    private @Nullable FunctionHandler<Command> lastFunction;

    CommandDispatch(Worker worker, StepOutput out, Carried carried) {
        this.scheduler = worker.scheduler;
        this.worker = worker;
        this.counters = worker.counters;
        this.handlers = scheduler.handlers;
        this.director = scheduler.config.director();
        this.out = out;
        this.carried = carried;
    }

    /** Calls the handlers of all commands of the step; returns what they answered on the spot, linked newest first. */
    final @Nullable Completion dispatch(ProcessCell cell) {
        int yields = out.yields();
        counters.yields += yields;
        boolean carries = carried.isInUse();
        Completion answers = null;
        for (int i = 0; i < yields; i++) {
            if (i > 0 && worker.isHalted()) {
                return null; // the handler held the worker up until the shutdown gave this process up
            }
            worker.forgetInterrupt();
            if (carries) {
                carried.beginCommand(out.attributes(i));
            }
            Completion answer = handle(cell, out.command(i), out.tag(i), out.attributes(i), out.timeoutNanos(i));
            if (answer != null) {
                answer.next = answers;
                answers = answer;
            }
        }
        if (carries) {
            carried.endCommands();
        }
        return answers;
    }

    /** The same for the command that was the only one of a step, without a timeout, where nothing goes along with it. */
    final @Nullable Completion dispatchOnly(ProcessCell cell) {
        counters.yields++;
        worker.forgetInterrupt();
        return handle(cell, out.command(0), out.tag(0), Map.of(), StepOutput.NO_TIMEOUT);
    }

    /** Runs one command. Returns its answer if that is at hand; if not, it is in the queue of the process, or will be. */
    private @Nullable Completion handle(
            ProcessCell cell, Command command, long tag, Map<String, Object> attributes, long timeoutNanos) {
        if (command.getClass() != lastCommand) {
            lookUp(command.getClass());
        }
        FunctionHandler<Command> function = lastFunction;
        if (function != null) {
            return call(function, cell, command, tag, attributes);
        }
        var yield = new YieldInFlight(cell, tag, attributes);
        yield.dispatch = this;
        try {
            handle(command, yield, timeoutNanos);
        } catch (Throwable thrown) {
            yield.fail(thrown);
        } finally {
            yield.dispatch = null;
            if (!yield.isAtHand) {
                cell.link(yield); // before the end of this turn, in which an upgrade must find it
            }
        }
        return yield.isAtHand ? yield : null;
    }

    /** A command whose answer is what a function returns. It is answered before anybody else can know of it. */
    private @Nullable Completion call(
            FunctionHandler<Command> function,
            ProcessCell cell,
            Command command,
            long tag,
            Map<String, Object> attributes) {
        Object data = null;
        Throwable error = null;
        try {
            data = function.function.call(command);
        } catch (Throwable thrown) {
            error = thrown;
        }
        if (cell.isNothingQueued()) {
            return attributes.isEmpty()
                    ? new FunctionAnswer(tag, data, error)
                    : new YieldInFlight(cell, tag, attributes, data, error);
        }
        var yield = new YieldInFlight(cell, tag, attributes, data, error);
        cell.link(yield);
        if (!scheduler.routing.pushUrgent(cell, yield).isDelivered()) {
            scheduler.routing.lateAnswer();
        }
        return null;
    }

    private void handle(Command command, YieldInFlight yield, long timeoutNanos) throws Exception {
        boolean limited = timeoutNanos != StepOutput.NO_TIMEOUT;
        if (director != null) {
            director.yielded(yield.pid(), command, yield.tag(), limited ? timeoutNanos : Director.NO_TIMEOUT);
        }
        handlers.handle(command, lastHandler, yield);
        if (limited && yield.isPending()) {
            yield.startTimer(new YieldTimeout(scheduler.timers, yield, command.getClass(), timeoutNanos));
        }
    }

    private void lookUp(Class<?> command) {
        lastHandler = handlers.find(command);
        lastFunction = handlers.function(lastHandler);
        lastCommand = command;
    }

    /**
     * Any thread that is about to answer a yield which is being dispatched here. Returns whether the answer is to be kept at
     * hand: if the thread is this worker's, and nothing is in the queue that was there before the answer.
     */
    final boolean keeps(YieldInFlight answered) {
        return worker.thread() == Thread.currentThread() && answered.cell.isNothingQueued();
    }

    /** With room behind it: see {@link Padding}. */
    static final class Padded extends CommandDispatch {
        long b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15;

        Padded(Worker worker, StepOutput out, Carried carried) {
            super(worker, out, carried);
        }
    }
}
