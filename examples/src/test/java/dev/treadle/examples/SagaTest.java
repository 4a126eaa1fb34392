// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.CommandRegistry;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import dev.treadle.examples.Saga.Booking;
import dev.treadle.examples.Saga.Outcome;
import dev.treadle.examples.Saga.Step;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SagaTest {
    private final List<String> log = new CopyOnWriteArrayList<>();

    @Test
    void whenItIsRun_thenWhatWasBookedIsGivenBack() throws Exception {
        assertThat(Printed.by(Saga::main))
                .containsExactly(
                        "book the flight",
                        "book the hotel",
                        "book the car",
                        "give back the car",
                        "give back the hotel",
                        "give back the flight",
                        "Outcome[problem=car failed: java.lang.IllegalStateException: no car left]");
    }

    @Test
    void whenAllStepsSucceed_thenNothingIsUndone() throws Exception {
        try (Scheduler scheduler = scheduler(booking -> {})) {
            assertThat(start(scheduler).result().get()).isEqualTo(new Outcome(null));
        }
        assertThat(log).containsExactly("do a", "do b", "do c");
    }

    @Test
    void whenAnUndoFailsAtFirst_thenItIsTriedAgain() throws Exception {
        try (Scheduler scheduler = scheduler(booking -> {
            if (booking.what().equals("b")
                    && log.stream().filter("undo b"::equals).count() < 3) {
                throw new IllegalStateException("not now");
            }
        })) {
            assertThat((Outcome) start(scheduler).result().get())
                    .extracting(Outcome::isDone)
                    .isEqualTo(false);
        }
        assertThat(log).containsExactly("do a", "do b", "undo b", "undo b", "undo b", "undo a");
    }

    @Test
    void whenAnUndoFailsForEver_thenTheSagaFailsAndSaysWhatIsLeft() {
        try (Scheduler scheduler = scheduler(booking -> {
            if (booking.what().equals("b")) {
                throw new IllegalStateException("never");
            }
        })) {
            assertThatThrownBy(() -> start(scheduler).result().get())
                    .hasStackTraceContaining("b could not be undone in 5 attempts")
                    .hasStackTraceContaining("because b failed");
        }
        assertThat(log).doesNotContain("undo a");
    }

    @Test
    void whenItIsCancelled_thenWhatWasDoneIsUndone() throws Exception {
        var begun = new CountDownLatch(1);
        var cancelled = new CountDownLatch(1);
        try (Scheduler scheduler = scheduler(booking -> {
            if (log.equals(List.of("do a", "do b"))) {
                begun.countDown();
                cancelled.await();
            }
        })) {
            ProcessRef saga = start(scheduler);
            begun.await();
            saga.cancel("the customer has changed his mind");
            cancelled.countDown();

            assertThat((Outcome) saga.result().get()).matches(outcome -> !outcome.isDone());
        }
        assertThat(log).containsExactly("do a", "do b", "undo b", "undo a");
    }

    private interface Work {
        void on(Booking booking) throws Exception;
    }

    private Scheduler scheduler(Work work) {
        return Scheduler.builder()
                .workers(1)
                .handlers(new CommandRegistry().registerBlocking(Booking.class, 1, booking -> {
                    log.add((booking.isUndo() ? "undo " : "do ") + booking.what());
                    work.on(booking);
                    return null;
                }))
                .start();
    }

    private static ProcessRef start(Scheduler scheduler) {
        List<Step> steps = Stream.of("a", "b", "c")
                .map(what -> new Step(what, new Booking(what, false), new Booking(what, true)))
                .toList();
        return scheduler.submit(new Saga(steps, Duration.ofMillis(1)), "main");
    }
}
