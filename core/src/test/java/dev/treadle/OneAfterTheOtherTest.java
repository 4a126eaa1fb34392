// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Y7: whoever hears an answer finds the place of that command free again.
 *
 * <p>Catches a place that is given back a moment after the answer: where one command may run and none may wait, a process
 * that yields one command after the other would be refused now and then.
 */
class OneAfterTheOtherTest {
    private static final int TIMES = 1_000;

    private record Work(int number) implements Command {}

    private final CallLimit limit = CallLimit.of(1, 0);
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    @AfterEach
    void end() {
        thread.shutdown();
    }

    /** Yields one command, and the next when the answer is there; ends with how many were answered. */
    private static Process oneAfterTheOther() {
        return Process.of((events, out) -> {
            int number = 0;
            for (Event event : events) {
                number = ((Completion) event).data(Integer.class) + 1;
            }
            if (number == TIMES) {
                out.done(number);
            } else {
                out.yield(new Work(number), number);
                out.idle();
            }
        });
    }

    private static void assertAllAnswered(int workers, CommandRegistry registry) {
        try (Scheduler scheduler = Scheduler.builder()
                .workers(workers)
                .shutdownTimeout(Duration.ZERO)
                .handlers(registry)
                .start()) {
            assertThat(Soon.get(scheduler.submit(oneAfterTheOther(), "main").result()))
                    .isEqualTo(TIMES);
        }
    }

    @AtWorkers
    void y7_blockingCalls(int workers) {
        assertAllAnswered(
                workers, new CommandRegistry().registerBlocking(Work.class, limit, (work, call) -> work.number()));
    }

    @AtWorkers
    void y7_handlersThatAnswerLater(int workers) {
        assertAllAnswered(
                workers,
                new CommandRegistry()
                        .register(
                                Work.class,
                                limit,
                                (work, receiver) -> thread.execute(() -> receiver.complete(work.number()))));
    }

    @AtWorkers
    void y7_futures(int workers) {
        assertAllAnswered(
                workers,
                new CommandRegistry()
                        .registerAsync(Work.class, limit, work -> CompletableFuture.supplyAsync(work::number, thread)));
    }

    /** The command waited, and its handler answers on the spot on the thread of the one before, whose process is another. */
    @Test
    void y7_anAnswerOnTheSpotOfOneThatWaited() {
        CallLimit limit = CallLimit.of(1, 1);
        var first = new CompletableFuture<ResultReceiver>();
        var handler = new LimitedHandler<>(
                Work.class,
                limit,
                (work, receiver) -> {
                    if (work.number() == 0) {
                        first.complete(receiver);
                    } else {
                        receiver.complete(work.number());
                    }
                },
                new Bindings(null, new Listeners(List.of())));
        var second = new Answer();
        CompletableFuture<Integer> running = second.future.thenApply(answer -> limit.running());
        handler.handle(new Work(0), new Answer());
        handler.handle(new Work(1), second);
        assertThat(limit.waiting()).isEqualTo(1);
        first.join().complete(0);

        assertThat(running).as("taken when the second answer was heard").isCompletedWithValue(0);
    }
}
