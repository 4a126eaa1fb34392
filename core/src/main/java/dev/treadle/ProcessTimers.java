// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Timers that send messages to the process that set them. They are gone when the process ends or is upgraded, unless the
 * upgrade keeps its yields. For use in {@code init} and {@code step} only.
 *
 * <pre>{@code
 * ProcessTimer heartbeat = context.timers().every(Duration.ofSeconds(1), "beat", null);
 * ...
 * heartbeat.cancel();
 * }</pre>
 *
 * <p>Never early; on an idle machine at most 3 ms late. The message has this process as its sender, and goes to the
 * dead-letter listener if the mailbox is full.
 */
public interface ProcessTimers {
    /**
     * Sends one message after a while.
     *
     * @param delay how long; zero sends it at once
     * @param topic what the message is about
     * @param payload its content, or null
     * @throws IllegalArgumentException if the delay is negative
     */
    ProcessTimer after(Duration delay, String topic, @Nullable Object payload);

    /**
     * Sends a message after each period, until it is cancelled. Times that were missed are left out, not made up for.
     *
     * @param period how long from one to the next, and to the first
     * @param topic what the messages are about
     * @param payload their content, or null
     * @throws IllegalArgumentException if the period is not positive
     */
    ProcessTimer every(Duration period, String topic, @Nullable Object payload);
}
