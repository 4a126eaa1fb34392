// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.awaitility.core.ThrowingRunnable;

/** Waits for what other threads bring about, as long as a loaded machine may need. */
final class Patience {
    /** Long enough for anything that happens at all. */
    static final Duration SOON = Duration.ofSeconds(30);

    private Patience() {}

    /** Waits until the assertion holds. */
    static void eventually(ThrowingRunnable assertion) {
        await().atMost(SOON)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .untilAsserted(assertion);
    }

    /** Waits until the process is in a state. */
    static void reaches(ProcessRef ref, ProcessInfo.State state) {
        await().atMost(SOON)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> ref.inspect()
                        .map(ProcessInfo::state)
                        .filter(state::equals)
                        .isPresent());
    }
}
