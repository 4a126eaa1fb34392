// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what must become true, looking often; fails after a time that is too long for any machine. */
final class Eventually {
    private static final Duration AT_MOST = Duration.ofSeconds(60);

    private Eventually() {}

    static void until(Callable<Boolean> condition) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(AT_MOST)
                .until(condition);
    }

    /** Waits until the process is seen in that state. */
    static void state(ProcessRef ref, ProcessInfo.State state) {
        until(() -> ref.inspect().filter(info -> info.state() == state).isPresent());
    }
}
