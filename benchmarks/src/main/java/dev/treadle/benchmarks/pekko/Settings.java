// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.pekko;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What differs from Pekko's defaults, for classic actors and typed ones. */
public final class Settings {
    /** The dispatcher on which a turn is one message: a message to oneself gives up the turn. */
    public static final String TURN_BY_TURN = "turn-by-turn";

    private Settings() {}

    /** Returns the settings for so many workers. */
    public static Config with(int workers) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "pekko.actor.default-dispatcher.throughput",
                64,
                "pekko.actor.default-mailbox.mailbox-type",
                "org.apache.pekko.dispatch.SingleConsumerOnlyUnboundedMailbox",
                // Timers are due to the millisecond.
                "pekko.scheduler.tick-duration",
                "1ms",
                "pekko.loglevel",
                "OFF",
                "pekko.stdout-loglevel",
                "OFF",
                "pekko.log-dead-letters",
                0,
                "pekko.coordinated-shutdown.run-by-jvm-shutdown-hook",
                "off",
                TURN_BY_TURN + ".type",
                "Dispatcher",
                TURN_BY_TURN + ".executor",
                "fork-join-executor",
                TURN_BY_TURN + ".throughput",
                1));
        for (String dispatcher : List.of("pekko.actor.default-dispatcher", TURN_BY_TURN)) {
            settings.put(dispatcher + ".fork-join-executor.parallelism-min", workers);
            settings.put(dispatcher + ".fork-join-executor.parallelism-max", workers);
        }
        return ConfigFactory.parseMap(settings).withFallback(ConfigFactory.load());
    }
}
