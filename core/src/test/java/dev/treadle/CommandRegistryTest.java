// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Y7: handlers are registered by the class of their command, once, and before the start. */
class CommandRegistryTest {
    private record Ping() implements Command {}

    private static class Parent implements Command {}

    private static final class Child extends Parent {}

    private static final String PING = Ping.class.getTypeName();

    /** The ways to register a handler. */
    enum Registration {
        QUICK,
        FUNCTION,
        ASYNC,
        BLOCKING,
        LIMITED;

        void in(CommandRegistry registry) {
            switch (this) {
                case QUICK -> registry.register(Ping.class, (command, receiver) -> receiver.complete("quick"));
                case FUNCTION -> registry.registerFunction(Ping.class, command -> "function");
                case ASYNC -> registry.registerAsync(Ping.class, command -> CompletableFuture.completedFuture("async"));
                case BLOCKING -> registry.registerBlocking(Ping.class, command -> "blocking");
                case LIMITED -> registry.registerBlocking(Ping.class, 1, command -> "limited");
            }
        }
    }

    private static List<Completion> completions(int workers, CommandRegistry registry, Command... commands) {
        var yielder = new Yielder(out -> {
            for (int tag = 0; tag < commands.length; tag++) {
                out.yield(commands[tag], tag);
            }
        });
        try (Scheduler scheduler =
                Scheduler.builder().workers(workers).handlers(registry).start()) {
            return yielder.finish(scheduler.submit(yielder, "main"), commands.length);
        }
    }

    @AtWorkers
    void y7_eachKindOfHandlerAnswers(int workers) {
        for (Registration registration : Registration.values()) {
            var registry = new CommandRegistry();
            registration.in(registry);

            assertThat(completions(workers, registry, new Ping(), new Ping()))
                    .as(registration.name())
                    .hasSize(2)
                    .allMatch(completion -> registration.name().equalsIgnoreCase((String) completion.data()));
        }
    }

    @AtWorkers
    void y7_aRegisteredHandlerAndAnAsyncFunctionRunOnTheWorker(int workers) {
        var registry = new CommandRegistry()
                .register(
                        Ping.class,
                        (command, receiver) ->
                                receiver.complete(Thread.currentThread().getName()))
                .registerAsync(
                        Echo.class,
                        command -> CompletableFuture.completedFuture(
                                Thread.currentThread().getName()));

        assertThat(completions(workers, registry, new Ping(), new Echo(0)))
                .allMatch(completion -> ((String) completion.data()).startsWith("treadle-main-worker-"));
    }

    @Test
    void y7_aHandlerIsFoundByTheClassOfTheCommandAlone() {
        var registry = new CommandRegistry()
                .register(Parent.class, (command, receiver) -> receiver.complete("parent"))
                .register(Command.class, (command, receiver) -> receiver.complete("any"));
        List<Completion> completions = completions(1, registry, new Parent(), new Child());

        assertThat(completions.get(0).data()).isEqualTo("parent");
        assertThat(completions.get(1).error())
                .isInstanceOf(UnknownCommandException.class)
                .hasMessageContaining(Child.class.getTypeName());
    }

    @Test
    void y7_aSecondHandlerIsRefusedByName() {
        for (Registration first : Registration.values()) {
            for (Registration second : Registration.values()) {
                var registry = new CommandRegistry();
                first.in(registry);

                assertThatIllegalArgumentException()
                        .as("%s after %s", second, first)
                        .isThrownBy(() -> second.in(registry))
                        .withMessageContainingAll(PING, "already", "remove");
                assertThat(completions(1, registry, new Ping()).get(0).data())
                        .as("the first one stays")
                        .isEqualTo(first.name().toLowerCase(Locale.ROOT));
            }
        }
    }

    @Test
    void y7_aHandlerThatComesTooLateIsRefusedByName() {
        for (Registration late : Registration.values()) {
            var registry = new CommandRegistry();
            try (Scheduler scheduler =
                    Scheduler.builder().workers(1).handlers(registry).start()) {
                assertThatIllegalStateException()
                        .isThrownBy(() -> late.in(registry))
                        .withMessageContainingAll(PING, "too late", "before start()");
                var yielder = new Yielder(out -> out.yield(new Ping(), 1));
                assertThat(yielder.finish(scheduler.submit(yielder, "main"), 1)
                                .get(0)
                                .error())
                        .isInstanceOf(UnknownCommandException.class);
            }
            assertThatIllegalStateException()
                    .as("and after the scheduler has ended")
                    .isThrownBy(() -> late.in(registry));
        }
    }

    @Test
    void y7_aSchedulerThatDoesNotStartFreezesNothing() {
        var registry = new CommandRegistry();
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> Scheduler.builder().workers(0).handlers(registry).start());
        Registration.QUICK.in(registry);

        assertThat(completions(1, registry, new Ping()).get(0).data()).isEqualTo("quick");
    }

    @Test
    void y7_twoSchedulersMayUseOneRegistry() {
        var registry = new CommandRegistry();
        Registration.BLOCKING.in(registry);

        assertThat(completions(1, registry, new Ping()).get(0).data()).isEqualTo("blocking");
        assertThat(completions(1, registry, new Ping()).get(0).data())
                .as("the first one has shut its threads down")
                .isEqualTo("blocking");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void y7_aLimitBelowOneIsRefused(int limit) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CommandRegistry().registerBlocking(Ping.class, limit, command -> null))
                .withMessageContainingAll(PING, "limit", "" + limit, "at least 1");
    }

    @Test
    void y7_nullIsRefusedByName() {
        var registry = new CommandRegistry();

        assertThatNullPointerException()
                .isThrownBy(() -> registry.register(Ping.class, null))
                .withMessageContainingAll("handler", PING);
        assertThatNullPointerException()
                .isThrownBy(() -> registry.registerFunction(Ping.class, null))
                .withMessageContainingAll("function", PING);
        assertThatNullPointerException()
                .isThrownBy(() -> registry.registerAsync(Ping.class, null))
                .withMessageContainingAll("function", PING);
        assertThatNullPointerException()
                .isThrownBy(() -> registry.registerBlocking(Ping.class, null))
                .withMessageContainingAll("function", PING);
        assertThatNullPointerException()
                .isThrownBy(() -> registry.register(null, Echo.HANDLER))
                .withMessageContaining("command is null");
    }

    @Nested
    class GivenAnAsyncFunction {
        private final CompletableFuture<Object> future = new CompletableFuture<>();
        private final CommandRegistry registry = new CommandRegistry().registerAsync(Ping.class, command -> future);
        private final Yielder yielder = new Yielder(out -> out.yield(new Ping(), 1));

        private Scheduler start(int workers) {
            return Scheduler.builder()
                    .workers(workers)
                    .shutdownTimeout(Duration.ZERO)
                    .handlers(registry)
                    .start();
        }

        @AtWorkers
        void y7_theYieldCompletesAsTheStageDoes(int workers) {
            try (Scheduler scheduler = start(workers)) {
                ProcessRef process = scheduler.submit(yielder, "main");
                Soon.until("in flight", () -> process.inspect().orElseThrow().yieldsInFlight() == 1);
                future.complete("later");

                assertThat(yielder.finish(process, 1))
                        .extracting(Completion::data)
                        .containsExactly("later");
            }
        }

        /** Y7: the error is that of the work, not the wrapper that futures put round it. */
        @AtWorkers
        void y7_theYieldFailsAsTheStageDoes(int workers) {
            var error = new IOException("no route");
            var direct = new CommandRegistry()
                    .registerAsync(Ping.class, command -> CompletableFuture.failedFuture(error))
                    .registerAsync(
                            Echo.class,
                            command -> CompletableFuture.supplyAsync(() -> {
                                throw new CompletionException(error);
                            }));

            assertThat(completions(workers, direct, new Ping(), new Echo(0)))
                    .hasSize(2)
                    .allMatch(completion -> completion.error() == error);
        }

        @AtWorkers
        void y7_aFunctionThatThrowsOrReturnsNullFailsItsYield(int workers) {
            var error = new IOException("not even started");
            var bad = new CommandRegistry()
                    .registerAsync(Ping.class, command -> {
                        throw error;
                    })
                    .registerAsync(Echo.class, command -> null);
            List<Completion> completions = completions(workers, bad, new Ping(), new Echo(0));

            assertThat(completions.get(0).error()).isSameAs(error);
            assertThat(completions.get(1).error())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(Echo.class.getTypeName(), "null", "CompletionStage");
        }

        @AtWorkers
        void y7_theStageIsCancelledWhenNobodyWantsTheAnswer(int workers) {
            try (Scheduler scheduler = start(workers)) {
                ProcessRef process = scheduler.submit(yielder, "main");
                Soon.until("in flight", () -> process.inspect().orElseThrow().yieldsInFlight() == 1);
                process.terminate();
                Soon.exitOf(process);

                assertThat(future).isCancelled();
            }
        }

        /** Y7, Y1: cancelled while it lives, the process gets the cancellation of the stage as its completion. */
        @AtWorkers
        void y7_aCancelledStageCompletesTheYieldOfALivingProcess(int workers) {
            try (Scheduler scheduler = start(workers)) {
                ProcessRef process = scheduler.submit(yielder, "main");
                Soon.until("in flight", () -> process.inspect().orElseThrow().yieldsInFlight() == 1);
                process.cancel("enough");

                assertThat(yielder.finish(process, 1))
                        .singleElement()
                        .satisfies(
                                completion -> assertThat(completion.error()).isInstanceOf(CancellationException.class));
            }
        }

        /** Y7: a process may be the work of a command; its result is a stage like any other. */
        @AtWorkers
        void y7_theResultOfAProcessCanBeTheAnswer(int workers) {
            var scheduler = new CompletableFuture<Scheduler>();
            var names = new CopyOnWriteArrayList<String>();
            var spawning = new CommandRegistry()
                    .registerAsync(
                            Ping.class,
                            command -> scheduler
                                    .join()
                                    .submit(
                                            Process.of((events, out) -> {
                                                names.add("ran");
                                                out.done("from a process");
                                            }),
                                            "main")
                                    .result());
            try (Scheduler started =
                    Scheduler.builder().workers(workers).handlers(spawning).start()) {
                scheduler.complete(started);

                assertThat(yielder.finish(started.submit(yielder, "main"), 1))
                        .extracting(Completion::data)
                        .containsExactly("from a process");
                assertThat(names).containsExactly("ran");
            }
        }
    }
}
