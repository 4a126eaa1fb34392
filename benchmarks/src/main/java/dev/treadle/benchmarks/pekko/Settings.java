// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.pekko;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.Map;

/** What differs from Pekko's defaults. */
final class Settings {
    private Settings() {}

    static Config with(int workers) {
        return ConfigFactory.parseMap(Map.of(
                        "pekko.actor.default-dispatcher.fork-join-executor.parallelism-min", workers,
                        "pekko.actor.default-dispatcher.fork-join-executor.parallelism-max", workers,
                        "pekko.actor.default-dispatcher.throughput", 64,
                        "pekko.actor.default-mailbox.mailbox-type",
                                "org.apache.pekko.dispatch.SingleConsumerOnlyUnboundedMailbox",
                        // Timers are due to the millisecond.
                        "pekko.scheduler.tick-duration", "1ms",
                        "pekko.loglevel", "OFF",
                        "pekko.stdout-loglevel", "OFF",
                        "pekko.log-dead-letters", 0,
                        "pekko.coordinated-shutdown.run-by-jvm-shutdown-hook", "off"))
                .withFallback(ConfigFactory.load());
    }
}
