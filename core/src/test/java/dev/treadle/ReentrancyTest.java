// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.treadle.UserCode.Place;
import dev.treadle.relay.Delivery;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** User code that calls the scheduler it runs in: what does not block is done, what would block is refused. */
class ReentrancyTest {
    /** Where user code runs on threads of its own: there it may wait. */
    private static final Set<Place> MAY_WAIT = EnumSet.of(Place.INIT, Place.BLOCKING_FUNCTION);

    static Stream<Arguments> everywhere() {
        return at(EnumSet.allOf(Place.class));
    }

    static Stream<Arguments> onThreadsOfTheScheduler() {
        return at(EnumSet.complementOf(EnumSet.copyOf(MAY_WAIT)));
    }

    private static Stream<Arguments> at(Set<Place> places) {
        return places.stream().flatMap(place -> Stream.of(1, 2, 8).map(workers -> Arguments.of(place, workers)));
    }

    /** Runs code that needs the scheduler it runs in; what it threw is what the test fails with. */
    private interface Calls {
        void run(UserCode user) throws Throwable;
    }

    private static void callAt(Place place, int workers, Calls calls) throws Exception {
        var ready = new CompletableFuture<UserCode>();
        var outcome = new CompletableFuture<String>();
        try (var user = new UserCode(place, workers, () -> {
            try {
                calls.run(Soon.get(ready));
                outcome.complete("all went well");
            } catch (Throwable t) {
                outcome.completeExceptionally(t);
            }
        })) {
            ready.complete(user);
            user.go();
            assertThat(Soon.get(outcome)).isEqualTo("all went well");
            user.neighbour.ping();
            assertThat(user.isWhole()).isTrue();
            // Closed first: as long as its init runs, the process is not counted as alive.
            Soon.until("it is closed", () -> user.closes.get() > 0);
            Soon.until(
                    "only the neighbour is left", () -> user.scheduler.stats().alive() == 1);
            assertThat(user.closes).hasValue(1);
        }
    }

    @ParameterizedTest(name = "{0}, {1} workers")
    @MethodSource("everywhere")
    void whatIsSubmittedAnywhereRuns(Place place, int workers) throws Exception {
        var ran = new CompletableFuture<String>();
        callAt(place, workers, user -> {
            user.scheduler.submit(
                    Process.of((events, out) -> {
                        ran.complete("ran");
                        out.done();
                    }),
                    "main");
            user.context.spawn(Process.of((events, out) -> out.done()), "main");
        });

        assertThat(Soon.get(ran)).isEqualTo("ran");
    }

    @ParameterizedTest(name = "{0}, {1} workers")
    @MethodSource("everywhere")
    void aProcessMayAskForItsOwnEndAnywhere(Place place, int workers) throws Exception {
        callAt(place, workers, user -> {
            Pid self = user.context.self();
            user.scheduler.send(self, "to myself", null);
            user.scheduler.cancel(self, "by myself");
            user.scheduler.cancel(self, "by myself, soon", Duration.ofMillis(1));
            user.scheduler.terminate(self);
        });
    }

    @ParameterizedTest(name = "{0}, {1} workers")
    @MethodSource("everywhere")
    void aLookAtTheSchedulerIsAllowedAnywhere(Place place, int workers) throws Exception {
        callAt(place, workers, user -> {
            assertThat(user.scheduler.stats().alive()).isPositive();
            assertThat(user.scheduler.processes().count()).isPositive();
            user.scheduler.inspect(user.context.self());
            assertThat(user.scheduler.toString()).contains("main");
        });
    }

    @ParameterizedTest(name = "{0}, {1} workers")
    @MethodSource("onThreadsOfTheScheduler")
    void e1_aShutdownFromTheSchedulersOwnThreadsIsRefused(Place place, int workers) throws Exception {
        callAt(place, workers, user -> {
            assertRefused(() -> user.scheduler.shutdown(Duration.ofSeconds(1)));
            assertRefused(user.scheduler::close);
            assertThat(user.scheduler.isStopping()).isFalse();
        });
    }

    @ParameterizedTest(name = "{0}, {1} workers")
    @MethodSource("onThreadsOfTheScheduler")
    void aWaitForAProcessOnTheSchedulersOwnThreadsIsRefused(Place place, int workers) throws Exception {
        callAt(place, workers, user -> {
            ProcessRef other = user.scheduler.submit(
                    Process.of((events, out) -> events.forEach(event -> out.done("ended"))), "main");
            CompletableFuture<Object> result = other.result();
            assertRefused(result::get);
            assertRefused(result::join);
            assertRefused(() -> result.get(1, TimeUnit.HOURS));
            assertRefused(() -> result.thenApply(Object::toString).join());
            other.terminate();
        });
    }

    @ParameterizedTest(name = "{0}, {1} workers")
    @MethodSource("everywhere")
    void aResultThatIsThereMayBeTakenAnywhere(Place place, int workers) throws Exception {
        callAt(place, workers, user -> {
            CompletableFuture<Object> result = user.ended.result();
            assertThat(result.get()).isEqualTo("ended");
            assertThat(result.join()).isEqualTo("ended");
            assertThat(result.get(0, TimeUnit.SECONDS)).isEqualTo("ended");
        });
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatIllegalStateException()
                .isThrownBy(call)
                .withMessageContainingAll("\"main\"", "do not wait", "a thread of your own");
    }

    /** E2: what a process asks of itself in a step happens at the next step boundary. */
    @AtWorkers
    void e2_whatAStepSendsToItsOwnProcessArrivesInTheNextStep(int workers) {
        var seen = new CopyOnWriteArrayList<String>();
        var self = new CompletableFuture<ProcessRef>();
        try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
            self.complete(scheduler.submit(
                    Process.of((events, out) -> {
                        seen.add(events.toString());
                        if (events.isEmpty()) {
                            ProcessRef me = Soon.get(self);
                            assertThat(me.send("hello", null)).isEqualTo(Delivery.DELIVERED);
                            assertThat(me.cancel("myself")).isEqualTo(Delivery.DELIVERED);
                        } else {
                            assertThat(Soon.get(self).terminate()).isEqualTo(Delivery.DELIVERED);
                            out.again();
                        }
                    }),
                    "main"));
            ProcessExit exit = Soon.exitOf(Soon.get(self));

            assertThat(exit.kind()).isEqualTo(ProcessExit.Kind.TERMINATED);
            assertThat(seen)
                    .as("the signal first, and no step after terminate")
                    .containsExactly("[]", "[Signal[CANCEL, myself], Message[hello, null, from " + exit.pid() + "]]");
        }
    }

    /** M2: a listener that sends messages nobody gets, for each message nobody got, does not call itself for ever. */
    @AtWorkers
    void m2_aListenerIsNotToldOfTheDeadLettersItMakesItself(int workers) {
        var scheduler = new CompletableFuture<Scheduler>();
        var calls = new AtomicInteger();
        Pid nowhere = Pid.of("nowhere", 1);
        var forwarding = new SchedulerListener() {
            @Override
            public void onDeadLetter(DeadLetter letter) {
                if (calls.incrementAndGet() < 200) { // for ever, but for this test
                    Soon.get(scheduler).send(nowhere, "forwarded", letter);
                    Soon.get(scheduler).send(nowhere, "forwarded", letter);
                }
            }
        };
        try (Scheduler started =
                Scheduler.builder().workers(workers).listener(forwarding).start()) {
            scheduler.complete(started);
            Process process = Process.of((events, out) -> {
                started.send(nowhere, "lost", null);
                out.done();
            });
            Soon.exitOf(started.submit(process, "main"));

            assertThat(calls).hasValue(1);
            assertThat(started.stats().deadLetters()).as("all are counted").isEqualTo(3);
        }
    }

    /** A process that leaves its thread interrupted does not disturb the next one, nor its own handlers and listeners. */
    @ParameterizedTest(name = "{0}, {1} workers")
    @MethodSource("onThreadsOfTheScheduler")
    void anInterruptThatIsLeftBehindIsNotSeenByTheNextProcess(Place place, int workers) throws Exception {
        var flags = new CopyOnWriteArrayList<Boolean>();
        callAt(place, workers, user -> {
            Thread.currentThread().interrupt();
            for (int i = 0; i < 20; i++) {
                user.scheduler.submit(
                        Process.of((events, out) -> {
                            flags.add(Thread.currentThread().isInterrupted());
                            out.done();
                        }),
                        "main");
            }
        });

        assertThat(flags).hasSize(20).containsOnly(false);
    }

    /**
     * A step that leaves its thread interrupted does not disturb the handlers of its commands either: they share files and
     * channels with others, and an interrupt closes a channel for all.
     */
    @AtWorkers
    void anInterruptThatAStepLeavesBehindIsNotSeenByAHandler(int workers) {
        record Look() implements Command {}
        var registry = new CommandRegistry()
                .register(
                        Look.class,
                        (command, receiver) ->
                                receiver.complete(Thread.currentThread().isInterrupted()));
        var yielder = new Yielder(out -> {
            out.yield(new Look(), 1);
            Thread.currentThread().interrupt();
        });
        try (Scheduler scheduler =
                Scheduler.builder().workers(workers).handlers(registry).start()) {
            List<Completion> completions = yielder.finish(scheduler.submit(yielder, "main"), 1);

            assertThat(completions).extracting(Completion::data).containsExactly(false);
        }
    }
}
