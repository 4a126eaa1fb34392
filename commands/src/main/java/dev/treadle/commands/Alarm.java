// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs something after a while, unless it is cancelled first; on the thread that the JDK has for that. */
final class Alarm {
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final CompletableFuture<Boolean> isOver = new CompletableFuture<>();

    private Alarm() {}

    /** The action must be quick: all alarms of the JVM share a thread. */
    static Alarm after(Duration delay, Runnable action) {
        var alarm = new Alarm();
        var unused = alarm.isOver.thenAccept(over -> {
            if (over) {
                action.run();
            }
        });
        alarm.isOver.completeOnTimeout(
                true, (delay.compareTo(LONGEST) > 0 ? LONGEST : delay).toNanos(), TimeUnit.NANOSECONDS);
        return alarm;
    }

    /** Any thread. Completed, not cancelled: that is what makes the JDK forget its timer. */
    void cancel() {
        isOver.complete(false);
    }
}
