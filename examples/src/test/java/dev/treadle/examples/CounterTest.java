// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CounterTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final Scheduler scheduler = Scheduler.builder().start();
    private final ProcessRef counter = scheduler.submit(new Counter(), "main", 40);

    @AfterEach
    void close() {
        scheduler.close();
    }

    @Test
    void whenItIsRun_thenItPrintsTheTotal() throws Exception {
        assertThat(Printed.by(Counter::main)).containsExactly("42");
    }

    @Test
    void whenManyThreadsAdd_thenNothingIsLost() throws Exception {
        IntStream.range(0, 10_000).parallel().forEach(i -> counter.send("add", 1));

        assertThat(counter.ask("get", null, TIMEOUT).get()).isEqualTo(10_040);
    }

    @Test
    void whenItIsCancelled_thenItEndsWithTheTotal() throws Exception {
        counter.send("add", 2);
        assertThat(counter.ask("get", null, TIMEOUT).get()).isEqualTo(42);

        counter.cancel("the test is over");

        assertThat(counter.result().get()).isEqualTo(42);
    }

    @Test
    void whenItGetsSomethingElse_thenItFailsAndSaysWhatItKnows() {
        counter.send("subtract", 1);

        assertThatThrownBy(() -> counter.result().get())
                .hasStackTraceContaining("a counter knows \"add\" and \"get\", but got Message[subtract");
    }
}
