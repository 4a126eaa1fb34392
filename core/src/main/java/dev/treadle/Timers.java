// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.timer.TimerNode;
import dev.treadle.timer.TimerThread;
import dev.treadle.timer.TimerWheel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The timers of a scheduler: a wheel, and the thread that turns it, or none if the scheduler is stepped by hand. */
final class Timers {
    private final TimeSource time;
    private final TimerWheel wheel;
    private final @Nullable TimerThread thread;

    /** Taken off the wheel, to be fired in an order that whoever steps the scheduler by hand chooses. */
    private final List<TimerNode> due = new ArrayList<>();

    Timers(SchedulerConfig config, Listeners listeners, boolean threaded) {
        time = config.time();
        wheel = new TimerWheel(time.nanos(), (node, thrown) -> listeners.failed("a timer", thrown));
        thread = threaded
                ? new TimerThread(
                        wheel,
                        time::nanos,
                        task -> config.newThread(OwnThreads.serving(config, task), config.name() + "-timer"))
                : null;
    }

    /** Any thread. Fires the timer after a while; nothing happens if the scheduler has stopped. */
    void start(TimerNode timer, long delayNanos) {
        startAt(timer, TimerWheel.deadline(time.nanos(), delayNanos));
    }

    private void startAt(TimerNode timer, long deadline) {
        if (thread == null) {
            wheel.start(timer, deadline);
        } else {
            thread.start(timer, deadline);
        }
    }

    /** The timer's own thread, inside of fire: fires it again a period after its deadline, or after the next to come. */
    void startAgain(TimerNode timer, long periodNanos) {
        long missed = Math.max(0, time.nanos() - timer.deadlineNanos()) / periodNanos;
        startAt(timer, timer.deadlineNanos() + (missed + 1) * periodNanos);
    }

    void cancel(TimerNode timer) {
        wheel.cancel(timer);
    }

    /** How many timers are set. */
    int size() {
        return wheel.size();
    }

    /** The thread that steps the scheduler by hand: fires what is due, and returns how many that were. */
    int fireDue() {
        int fired = 0;
        while (!due.isEmpty()) {
            fire(0);
            fired++;
        }
        return fired + wheel.advance(time.nanos());
    }

    /** The thread that steps the scheduler by hand: how many are due now and were not fired yet. */
    int claimDue() {
        wheel.advanceInto(time.nanos(), due);
        return due.size();
    }

    /** The thread that steps the scheduler by hand: fires one of those. */
    void fire(int index) {
        wheel.fire(due.remove(index));
    }

    /** When the next timer is due, in the time of the {@link TimeSource}; {@link TimerWheel#NEVER} if there is none. */
    long nextDeadlineNanos() {
        return wheel.nextDeadlineNanos();
    }

    /** Drops all timers, and ends the thread if it does so in time. */
    void close(Duration timeout) {
        if (thread == null) {
            wheel.clear();
            due.clear();
        } else {
            thread.close(timeout);
        }
    }
}
