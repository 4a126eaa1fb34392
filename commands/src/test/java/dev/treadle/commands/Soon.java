// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Waits for what must happen soon; "soon" is generous, as the machine may be busy. */
final class Soon {
    private Soon() {}

    static void until(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .atMost(Duration.ofSeconds(30))
                .until(condition);
    }

    static void until(Callable<Boolean> condition) {
        until("what the test waits for", condition);
    }
}
