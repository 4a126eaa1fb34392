// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.command.Ask;
import dev.treadle.command.Call;
import dev.treadle.command.Exec;
import dev.treadle.command.Sleep;
import dev.treadle.command.WaitUntil;
import dev.treadle.relay.Delivery;
import java.util.LinkedHashMap;
import java.util.Map;

/** Does the work of the commands in {@code dev.treadle.command}, which every scheduler can run. */
final class BuiltInHandlers {
    private final Scheduler scheduler;

    BuiltInHandlers(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    Map<Class<?>, Handler<Command>> all(BlockingThreads threads) {
        var calls = new BlockingHandler<>(
                Call.class,
                CallLimit.of(CommandRegistry.BLOCKING_LIMIT_DEFAULT, CommandRegistry.BLOCKING_WAITING_MAX),
                (command, call) -> command.function().call(),
                threads,
                scheduler.bindings);
        var handlers = new LinkedHashMap<Class<?>, Handler<Command>>();
        handlers.put(Sleep.class, (command, receiver) -> sleep((Sleep) command, (YieldInFlight) receiver));
        handlers.put(WaitUntil.class, (command, receiver) -> waitUntil((WaitUntil) command, (YieldInFlight) receiver));
        handlers.put(Ask.class, (command, receiver) -> ask((Ask) command, (YieldInFlight) receiver));
        handlers.put(Exec.class, (command, receiver) -> exec((Exec) command, (YieldInFlight) receiver));
        handlers.put(Call.class, (command, receiver) -> calls.handle((Call) command, receiver));
        return handlers;
    }

    /** What kind of handler a command has that nobody registered one for. */
    static Director.HandlerKind kind(Class<?> command) {
        if (command == Call.class) {
            return Director.HandlerKind.BLOCKING;
        }
        boolean known =
                command == Sleep.class || command == WaitUntil.class || command == Ask.class || command == Exec.class;
        return known ? Director.HandlerKind.BUILT_IN : Director.HandlerKind.NONE;
    }

    private void sleep(Sleep sleep, YieldInFlight yield) {
        long nanos = Durations.nanosFromZero("duration", sleep.duration());
        if (nanos == 0) {
            yield.complete(null);
        } else {
            yield.startTimer(new YieldTimer(scheduler.timers, yield, nanos) {
                @Override
                protected void fire() {
                    yield.complete(null);
                }
            });
        }
    }

    private void waitUntil(WaitUntil wait, YieldInFlight yield) {
        var timer = new ClockTimer(scheduler, yield, wait.instant());
        if (timer.isDue()) {
            yield.complete(null);
        } else {
            yield.startTimer(timer);
        }
    }

    private void ask(Ask ask, YieldInFlight yield) {
        Delivery delivery =
                scheduler.routing.request(ask.target(), ask.payload(), new Request.OfYield(ask.topic(), yield));
        if (!delivery.isDelivered() && yield.isPending()) { // a relay that refuses may have said why
            yield.fail(AskFailedException.undelivered(ask.target(), ask.topic(), delivery));
        }
    }

    private void exec(Exec exec, YieldInFlight yield) {
        Submission submission = Submission.of(exec.process(), exec.method(), exec.input());
        ProcessRef child = scheduler.submit(submission, yield.cell);
        yield.onCancel(() -> child.cancel("the process that waits for its result no longer does", Exec.GRACE));
        AsyncHandler.answerWith(child.result(), yield);
    }
}
