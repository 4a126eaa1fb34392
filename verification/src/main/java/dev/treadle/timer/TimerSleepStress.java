// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.timer;

import dev.treadle.verification.Twin;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A timer is started while the thread that fires them goes to sleep: the thread sees it, or the starter is told to wake the
 * thread. All of it is under a lock; the test is here because the rule is the same as that of {@code Sleepers}.
 *
 * <p>Results: 1 if the starter must wake, 1 if the thread would sleep for ever.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the starter wakes it")
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "it has seen the timer")
@Outcome(expect = Expect.FORBIDDEN, desc = "a timer that nobody fires, or a wake-up for nothing")
@State
public class TimerSleepStress {
    private final Wheel wheel = Twin.TIMER_ANNOUNCES_LATE.isChosen() ? new TwinWheel() : new Production();

    @Actor
    public void starter(II_Result result) {
        result.r1 = wheel.start() ? 1 : 0;
    }

    @Actor
    public void driver(II_Result result) {
        result.r2 = wheel.announceSleep() ? 1 : 0;
    }

    private interface Wheel {
        boolean start();

        /** Returns whether the driver may sleep for ever. */
        boolean announceSleep();
    }

    private static final class Production implements Wheel {
        private final TimerWheel wheel = new TimerWheel(0, 1, 2, (node, thrown) -> {});
        private final TimerNode node = new TimerNode() {
            @Override
            protected void fire() {}
        };

        @Override
        public boolean start() {
            return wheel.start(node, 3);
        }

        @Override
        public boolean announceSleep() {
            return wheel.announceSleep() == TimerWheel.NEVER;
        }
    }

    private static final class TwinWheel implements Wheel {
        private volatile boolean started;
        private volatile boolean asleep;

        @Override
        public boolean start() {
            started = true;
            return asleep;
        }

        @Override
        public boolean announceSleep() {
            boolean none = !started;
            asleep = true; // late
            return none;
        }
    }
}
