// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Y7: handlers and futures with a limit: a command takes its place until it is answered. */
class LimitedHandlerTest {
    private static final ThreadLocal<Object> BOUND = new ThreadLocal<>();

    private record Work(int number) implements Command {}

    private final CallLimit limit = CallLimit.of(2, 3);

    /** The commands that were handed over and not answered yet. */
    private final LinkedBlockingQueue<ResultReceiver> begun = new LinkedBlockingQueue<>();

    private static Scheduler start(int workers, CommandRegistry registry) {
        return Scheduler.builder()
                .workers(workers)
                .shutdownTimeout(Duration.ZERO)
                .handlers(registry)
                .start();
    }

    private Scheduler startHolding(int workers) {
        return start(
                workers, new CommandRegistry().register(Work.class, limit, (work, receiver) -> begun.add(receiver)));
    }

    private ResultReceiver next() {
        try {
            ResultReceiver receiver = begun.poll(Soon.LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(receiver).as("a command that was begun").isNotNull();
            return receiver;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Yielder works(int count) {
        return new Yielder(out -> IntStream.range(0, count).forEach(tag -> out.yield(new Work(tag), tag)));
    }

    @AtWorkers
    void y7_soManyAreHandedOverTheOthersWaitInOrderAndOneMoreIsRefused(int workers) {
        try (Scheduler scheduler = startHolding(workers)) {
            Yielder yielder = works(6);
            ProcessRef process = scheduler.submit(yielder, "main");
            Soon.until(() -> yielder.completions().size() == 1);
            assertThat(yielder.completions().get(0).error()).isInstanceOf(CommandOverloadException.class);
            assertThat(yielder.tags()).containsExactly(5L);
            assertThat(begun).extracting(ResultReceiver::tag).containsExactly(0L, 1L);

            for (long tag = 0; tag < 5; tag++) {
                ResultReceiver receiver = next();
                assertThat(receiver.tag()).isEqualTo(tag);
                assertThat(receiver.complete("answer")).isTrue();
                assertThat(receiver.complete("again"))
                        .as("a second answer frees no second place")
                        .isFalse();
                assertThat(limit.running()).isEqualTo((int) Math.min(2, 4 - tag));
            }
            assertThat(yielder.finish(process, 6))
                    .extracting(Completion::data)
                    .filteredOn("answer"::equals)
                    .hasSize(5);
        }
    }

    /** Y1: catches a place, and a command that waits for it, that are lost with an answer that is refused. */
    @AtWorkers
    void y1_anAnswerThatIsRefusedKeepsThePlaceAndThoseWhoWait(int workers) {
        try (Scheduler scheduler = startHolding(workers)) {
            Yielder yielder = works(3);
            ProcessRef process = scheduler.submit(yielder, "main");
            ResultReceiver first = next();
            ResultReceiver second = next();
            Soon.until(() -> limit.waiting() == 1); // the third may still be about to be dispatched
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> first.completeYield(first.tag(), "data", new IllegalStateException()));
            assertThatIllegalArgumentException().isThrownBy(() -> first.completeYield(99, "data", null));
            assertThat(limit).hasToString("CallLimit[2 of 2 running, 1 of 3 waiting]");

            assertThat(first.complete("answer")).isTrue();
            assertThat(next().complete("answer")).as("the one that waited").isTrue();
            assertThat(second.complete("answer")).isTrue();
            yielder.finish(process, 3);
        }
    }

    /** Catches a place that is passed on within the answer: a hundred thousand in a row would overflow the stack. */
    @AtWorkers
    void y3_answersOnTheSpotDoNotRecurse(int workers) {
        var registry = new CommandRegistry().register(Work.class, CallLimit.of(1, 100_000), (work, receiver) -> {
            if (work.number() == 0) {
                begun.add(receiver);
            } else {
                receiver.complete(work.number());
            }
        });
        try (Scheduler scheduler = start(workers, registry)) {
            Yielder yielder = works(60_000);
            ProcessRef process = scheduler.submit(yielder, "main");
            Soon.until(() -> process.inspect().orElseThrow().yieldsInFlight() == 60_000);
            next().complete(0); // all the others follow on this thread

            yielder.finish(process, 60_000);
            assertThat(yielder.tags())
                    .isEqualTo(LongStream.range(0, 60_000).boxed().toList());
        }
    }

    @AtWorkers
    void y6_aHandlerThatThrowsFailsItsYieldAndGivesItsPlaceBack(int workers) {
        var registry = new CommandRegistry().register(Work.class, CallLimit.of(1, 10), (work, receiver) -> {
            throw new IllegalStateException("no " + work.number());
        });
        try (Scheduler scheduler = start(workers, registry)) {
            Yielder yielder = works(5);

            assertThat(yielder.finish(scheduler.submit(yielder, "main"), 5))
                    .extracting(completion -> completion.error().getMessage())
                    .containsExactly("no 0", "no 1", "no 2", "no 3", "no 4");
        }
    }

    @AtWorkers
    void y5_oneThatIsCancelledWhileItWaitsIsAnsweredAtOnceAndNeverBegun(int workers) {
        try (Scheduler scheduler = startHolding(workers)) {
            Yielder running = works(2);
            ProcessRef first = scheduler.submit(running, "main");
            Soon.until(() -> begun.size() == 2);
            Yielder waiting = works(1);
            ProcessRef second = scheduler.submit(waiting, "main");
            Soon.until(() -> limit.waiting() == 1);
            second.cancel("enough");
            Soon.until(() -> !waiting.completions().isEmpty());

            assertThat(waiting.completions().get(0).error())
                    .isInstanceOf(CancellationException.class)
                    .hasMessageContaining("Work was not started");
            assertThat(limit.waiting()).isZero();
            next().complete(null);
            next().complete(null);
            running.finish(first, 2);
            assertThat(begun).isEmpty();
        }
    }

    /** The handler's own action must be the one that is run, also for a command that had to wait. */
    @AtWorkers
    void y5_oneThatIsCancelledWhenItHasBegunIsStoppedByItsHandler(int workers) {
        var told = new ConcurrentLinkedQueue<Integer>();
        var registry = new CommandRegistry().register(Work.class, CallLimit.of(1, 10), (work, receiver) -> {
            begun.add(receiver);
            receiver.onCancel(() -> {
                told.add(work.number());
                receiver.fail(new CancellationException("by its handler"));
            });
        });
        try (Scheduler scheduler = start(workers, registry)) {
            Yielder yielder = works(2);
            ProcessRef process = scheduler.submit(yielder, "main");
            next().complete("first");
            next();
            process.cancel("enough");
            Soon.until(() -> yielder.completions().size() == 2);

            assertThat(told).containsExactly(1);
            assertThat(yielder.completions().get(1).error()).hasMessage("by its handler");
        }
    }

    @AtWorkers
    void y7_aFutureTakesItsPlaceUntilItIsComplete(int workers) {
        var futures = new LinkedBlockingQueue<CompletableFuture<Object>>();
        var registry = new CommandRegistry().registerAsync(Work.class, limit, work -> {
            var future = new CompletableFuture<Object>();
            futures.add(future);
            return future;
        });
        try (Scheduler scheduler = start(workers, registry)) {
            Yielder yielder = works(3);
            ProcessRef process = scheduler.submit(yielder, "main");
            Soon.until(() -> futures.size() == 2 && limit.waiting() == 1);
            futures.remove().complete("one");
            Soon.until("the third was begun by that", () -> futures.size() == 2);
            futures.remove().completeExceptionally(new IllegalStateException("two"));
            assertThat(limit.running()).isEqualTo(1);
            process.cancel("enough");
            yielder.finish(process, 3);

            assertThat(yielder.completions().get(2).error()).isInstanceOf(CancellationException.class);
            assertThat(limit.running()).isZero();
        }
    }

    /** C5: also for a command that is begun on the thread that answered another. */
    @Test
    void c5_theAttributesInForceAreThoseOfTheCommand() {
        var seen = new ConcurrentLinkedQueue<String>();
        var registry = new CommandRegistry().register(Work.class, CallLimit.of(1, 10), (work, receiver) -> {
            seen.add(receiver.attributes().get("trace") + " " + BOUND.get());
            begun.add(receiver);
        });
        try (Scheduler scheduler = Scheduler.builder()
                .handlers(registry)
                .binding(attributes -> {
                    Object before = BOUND.get();
                    BOUND.set(attributes.get("trace"));
                    return () -> BOUND.set(before);
                })
                .shutdownTimeout(Duration.ZERO)
                .start()) {
            for (String trace : List.of("a", "b")) {
                Yielder yielder = works(1);
                ProcessRef process =
                        scheduler.submit(Submission.of(yielder, "main").attribute("trace", trace));
                Soon.until(() -> process.inspect().orElseThrow().yieldsInFlight() == 1);
            }
            next().complete(null);
            next();

            assertThat(seen).containsExactly("a a", "b b");
            assertThat(BOUND.get()).as("on this thread, which began the second").isNull();
        }
    }
}
