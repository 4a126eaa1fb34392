// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.Command;
import dev.treadle.CommandRegistry;
import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Process;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import dev.treadle.StepOutput;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A process that yields one command, and ends with its completion; a cancel does not end it. */
final class LoneCommand {
    private static final long SOON_SECONDS = 30;

    private LoneCommand() {}

    static Scheduler scheduler(Consumer<CommandRegistry> handlers) {
        var registry = new CommandRegistry();
        handlers.accept(registry);
        return Scheduler.builder()
                .workers(2)
                .handlers(registry)
                .shutdownTimeout(Duration.ZERO)
                .start();
    }

    static ProcessRef start(Scheduler scheduler, Command command) {
        return scheduler.submit(process(command), "main");
    }

    static ProcessRef start(Scheduler scheduler, Command command, Duration timeout) {
        return scheduler.submit(process(out -> out.yield(command, 1, timeout)), "main");
    }

    static Process process(Command command) {
        return process(out -> out.yield(command, 1));
    }

    private static Process process(Consumer<StepOutput> first) {
        var begun = new AtomicBoolean();
        return Process.of((events, out) -> {
            if (!begun.getAndSet(true)) { // a cancel may come before the first step, and change nothing
                first.accept(out);
            }
            out.await();
            for (Event event : events) {
                if (event instanceof Completion completion) {
                    out.done(completion);
                }
            }
        });
    }

    /** Runs a command, and returns how it completed. */
    static Completion run(Scheduler scheduler, Command command) {
        return completion(start(scheduler, command));
    }

    /** Runs a command, and returns what it completed with. */
    static <T> T run(Scheduler scheduler, Command command, Class<T> type) {
        return run(scheduler, command).data(type);
    }

    /** Runs a command that fails, and returns its error. */
    static <T extends Throwable> T fail(Scheduler scheduler, Command command, Class<T> type) {
        return error(start(scheduler, command), type);
    }

    static <T extends Throwable> T error(ProcessRef process, Class<T> type) {
        Completion completion = completion(process);
        if (!type.isInstance(completion.error())) {
            throw new AssertionError("expected " + type + ", got " + completion, completion.error());
        }
        return type.cast(completion.error());
    }

    static Completion completion(ProcessRef process) {
        try {
            return (Completion) process.result().get(SOON_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("no completion", e);
        }
    }
}
