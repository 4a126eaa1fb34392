// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** C3: a request from outside ends, also where no thread is to be had for what the user does then. */
class OutsideAsksTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualTime time = new ManualTime();
    private final SteppedScheduler stepped = Scheduler.builder().time(time).stepped();
    private final OutsideAsks asks = new OutsideAsks(stepped.scheduler(), task -> {
        throw new OutOfMemoryError("unable to create native thread");
    });

    @AfterEach
    void close() {
        stepped.close();
    }

    private CompletableFuture<@Nullable Object> askTheDeaf() {
        ProcessRef deaf = stepped.scheduler().submit(ProbeProcess.deaf(), "main");
        ProcessCell cell =
                Objects.requireNonNull(stepped.scheduler().table.find(deaf.pid().id()));
        return asks.ask(cell, "double", 21, SECOND.toNanos());
    }

    @Test
    void whenItsTimeIsOver_thenItFailsAllTheSame() {
        CompletableFuture<@Nullable Object> reply = askTheDeaf();
        assertThat(reply).isNotDone();

        time.advance(SECOND);
        stepped.fireTimers();

        assertThat(reply).isCompletedExceptionally();
        assertThatThrownBy(reply::join).hasCauseInstanceOf(AskFailedException.class);
        assertThat(asks.size()).isZero();
    }

    @Test
    void whenTheSchedulerEnds_thenItFailsAllTheSame() {
        CompletableFuture<@Nullable Object> reply = askTheDeaf();

        asks.close();

        assertThat(reply).isCompletedExceptionally();
        assertThatThrownBy(reply::join).hasCauseInstanceOf(AskFailedException.class);
    }
}
