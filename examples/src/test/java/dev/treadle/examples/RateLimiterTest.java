// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import dev.treadle.SteppedScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In virtual time: two at once, one each second, three may wait. */
class RateLimiterTest {
    private final VirtualClock clock = new VirtualClock();
    private final SteppedScheduler stepped =
            Scheduler.builder().workers(1).time(clock).stepped();
    private final ProcessRef limiter = stepped.scheduler().submit(new RateLimiter(2, Duration.ofSeconds(1), 3), "main");
    private final List<CompletableFuture<Object>> asked = new ArrayList<>();

    @AfterEach
    void close() {
        stepped.close();
    }

    @Test
    void whenMoreAreTakenThanThereAre_thenTheyComeOneInEachInterval() {
        take(5);

        assertThat(given()).isEqualTo(2);
        clock.pass(Duration.ofMillis(999), stepped);
        assertThat(given()).isEqualTo(2);
        clock.pass(Duration.ofMillis(10), stepped);
        assertThat(given()).isEqualTo(3);
        clock.pass(Duration.ofSeconds(2), stepped);
        assertThat(given()).isEqualTo(5);
    }

    @Test
    void whenNobodyTakes_thenNoMoreThanTheBurstIsSaved() {
        clock.pass(Duration.ofMinutes(1), stepped);

        take(3);

        assertThat(given()).isEqualTo(2);
    }

    @Test
    void whenTooManyWait_thenOneMoreIsRefused() {
        take(5);

        CompletableFuture<Object> oneMore = take(Duration.ofMinutes(1));

        assertThatThrownBy(oneMore::get).hasStackTraceContaining("3 wait already, as many as may: try later");
    }

    @Test
    void whenSomebodyHasGivenUp_thenHisPermitIsForTheNext() {
        take(2);
        CompletableFuture<Object> impatient = take(Duration.ofMillis(500));
        CompletableFuture<Object> patient = take(Duration.ofMinutes(1));

        clock.pass(Duration.ofMillis(600), stepped);
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(impatient).isCompletedExceptionally()); // told on another thread
        clock.pass(Duration.ofMillis(500), stepped);

        assertThat(patient).isCompleted();
    }

    private void take(int count) {
        for (int i = 0; i < count; i++) {
            asked.add(take(Duration.ofMinutes(1)));
        }
    }

    private CompletableFuture<Object> take(Duration timeout) {
        CompletableFuture<Object> reply = limiter.ask(RateLimiter.TAKE, null, timeout);
        stepped.runAll();
        return reply;
    }

    private long given() {
        return asked.stream().filter(CompletableFuture::isDone).count();
    }
}
