// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.treadle.SchedulerStats;
import dev.treadle.ShutdownReport;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoTest {
    private static final int NEVER = 0;

    @ParameterizedTest(name = "{0} processes")
    @ValueSource(ints = {10, 100, 199, 1_000, 1_234})
    void whenPopulated_thenThereAreAsManyAsAskedFor(int processes) {
        try (Demo demo = Demo.start(new Demo.Settings(processes, 2, 1, NEVER))) {
            demo.populate(() -> false);

            await().untilAsserted(() -> assertThat(demo.stats().alive()).isEqualTo(processes));
            assertThat(demo.shutdown(Duration.ofMinutes(1)))
                    .extracting(ShutdownReport::ended, ShutdownReport::forced)
                    .containsExactly(processes, 0);
        }
    }

    /** The closed loops: a reading lost in a crash does not silence the device that sent it, and none is doubled. */
    @ParameterizedTest(name = "{0} workers")
    @ValueSource(ints = {1, 2, 8})
    void whenDevicesCrashAllTheTime_thenTheyAreReplacedAndTheTalkGoesOn(int workers) {
        int processes = 200;
        try (Demo demo = Demo.start(new Demo.Settings(processes, workers, 1, 20))) {
            demo.populate(() -> false);

            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(demo.crashed()).isGreaterThan(50));
            long messages = demo.stats().total().messagesSent();
            long crashed = demo.crashed();
            await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
                SchedulerStats stats = demo.stats();
                assertThat(demo.crashed()).isGreaterThan(crashed + 20);
                assertThat(stats.total().messagesSent()).isGreaterThan(messages + 200);
                assertThat(stats.alive()).isEqualTo(processes);
            });
            assertThat(demo.stats().submitted()).isGreaterThanOrEqualTo(processes + crashed);
            assertThat(demo.shutdown(Duration.ofMinutes(1)).isGraceful()).isTrue();
        }
    }

    @Test
    void whenToldToStop_thenNoMoreHubsAreStarted() {
        try (Demo demo = Demo.start(new Demo.Settings(1_000_000, 1, 1, NEVER))) {
            demo.populate(() -> demo.stats().submitted() > 0);

            assertThat(demo.stats().alive()).isLessThan(1_000);
        }
    }
}
