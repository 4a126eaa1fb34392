// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import dev.treadle.SteppedScheduler;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PipelineTest {
    private static final int WINDOW = 8;
    private static final Duration WORK_TIME = Duration.ofSeconds(1);

    private final VirtualClock clock = new VirtualClock();
    private final AtomicInteger taken = new AtomicInteger();

    @Test
    void whenTheSinkIsSlow_thenTheSourceIsNoFurtherAheadThanTheWindow() {
        try (SteppedScheduler stepped =
                Scheduler.builder().workers(1).time(clock).stepped()) {
            Pipeline.start(stepped.scheduler(), items(Integer.MAX_VALUE), item -> item, WINDOW, WORK_TIME);
            clock.pass(Duration.ofMillis(1), stepped);
            assertThat(taken).as("at the start").hasValue(WINDOW);

            for (int finished = 1; finished <= 20; finished++) {
                clock.pass(WORK_TIME.plusMillis(10), stepped);
                assertThat(taken).as("when %d are finished", finished).hasValue(WINDOW + finished);
            }
        }
    }

    @Test
    void whenTheItemsAreOver_thenAllHaveComeOutInOrder() throws Exception {
        try (Scheduler scheduler = Scheduler.builder().workers(2).start()) {
            ProcessRef sink = Pipeline.start(scheduler, items(1_000), item -> item + "!", WINDOW, Duration.ZERO);

            assertThat(sink.result().get())
                    .isEqualTo(IntStream.range(0, 1_000).mapToObj(i -> i + "!").toList());
        }
    }

    @Test
    void whenThereAreNoItems_thenItEndsToo() throws Exception {
        try (Scheduler scheduler = Scheduler.builder().workers(1).start()) {
            assertThat(Pipeline.start(scheduler, items(0), item -> item, WINDOW, WORK_TIME)
                            .result()
                            .get())
                    .isEqualTo(List.of());
        }
    }

    private Iterator<String> items(int count) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return taken.get() < count;
            }

            @Override
            public String next() {
                return String.valueOf(taken.getAndIncrement());
            }
        };
    }
}
