// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** That a signal is heard, and that the JVM waits for the report, is tested by LauncherIT: it ends a JVM. */
class EndRequestTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @Test
    void whenNobodyAsks_thenAwaitTimesOut() {
        try (EndRequest end = EndRequest.listen(LONG)) {
            assertThat(end.await(Duration.ofMillis(1))).isFalse();
            assertThat(end.isAsked()).isFalse();
        }
    }

    @Test
    void whenAsked_thenAwaitReturnsAtOnce() {
        try (EndRequest end = EndRequest.listen(LONG)) {
            var asker = new Thread(end::ask);
            asker.start();

            assertThat(end.await(LONG)).isTrue();
            assertThat(end.isAsked()).isTrue();
        }
    }

    @Test
    void whenInterrupted_thenItCountsAsAsked() {
        try (EndRequest end = EndRequest.listen(LONG)) {
            Thread.currentThread().interrupt();

            assertThat(end.await(LONG)).isTrue();
            assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
            assertThat(end.isAsked()).isTrue();
        }
    }

    @Test
    void whenClosedTwice_thenNothingHappens() {
        EndRequest end = EndRequest.listen(LONG);

        end.close();
        end.close();

        assertThat(end.isAsked()).isFalse();
    }
}
