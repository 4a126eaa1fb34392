// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.timer;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.ModelThreads;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: start, cancel and the claims of an advance are atomic, and the driver's wake-ups are not lost. Method: Lincheck
 * tries the interleavings of small scenarios on a wheel of two levels with two slots each.
 *
 * <p>An advance as a whole is not atomic, by intent: others may start and cancel while it fires. What is atomic is each of
 * its parts, so these are the operations here: to begin, and to claim the next node that is due. Each scenario begins in
 * the middle of an advance that has both nodes left to fire, or else few scenarios would have a race to show.
 */
@Tag("model")
class TimerWheelLincheckTest {
    /* Two ticks of four time units make the wheel's two levels of two slots cover all of time. */
    private static final long UNIT_NANOS = 1L << 60;
    private static final long TICK_NANOS = 2 * UNIT_NANOS;
    private static final int NODES = 2;

    private static ModelCheckingOptions modelChecking(int iterations, int invocations) {
        return new ModelCheckingOptions()
                .iterations(iterations)
                .invocationsPerIteration(invocations)
                .threads(2)
                .actorsPerThread(4)
                .actorsBefore(2)
                .actorsAfter(2)
                .sequentialSpecification(Specification.class);
    }

    @Test
    void whenStartedCancelledAndClaimedAtOnce_thenLinearizable() {
        modelChecking(5, 80).check(Wheel.class);
    }

    @Test
    @Tag("deep")
    void whenStartedCancelledAndClaimedAtOnceAtLength_thenLinearizable() {
        modelChecking(100, 2_000).check(Wheel.class);
    }

    @Test
    void whenStressed_thenLinearizable() {
        new StressOptions()
                .iterations(4)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(2)
                .sequentialSpecification(Specification.class)
                .check(Wheel.class);
    }

    @Test
    void givenTwinThatClaimsInTwoSteps_thenItIsCaught() {
        assertThatThrownBy(() ->
                        modelChecking(15, 100).minimizeFailedScenario(false).check(TwoStepTwin.class))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Invalid execution results");
    }

    @Test
    void whenTimerIsStartedWhileTheDriverFallsAsleep_thenItWakes() {
        Lincheck.runConcurrentTest(200, () -> sleepAndStart(true));
    }

    @Test
    void givenTwinThatSleepsUnannounced_thenItIsCaught() {
        assertThatThrownBy(() -> Lincheck.runConcurrentTest(1_000, () -> sleepAndStart(false)))
                .isInstanceOf(AssertionError.class);
    }

    /** A semaphore stands for the permit of LockSupport, which Lincheck takes to return spuriously. */
    private static void sleepAndStart(boolean announced) {
        var wheel = new TimerWheel(0, TICK_NANOS, 1, (node, failure) -> {});
        var permit = new Semaphore(0);
        ModelThreads driver = ModelThreads.start(() -> {
            while (wheel.advance(UNIT_NANOS) == 0) {
                long wake = announced ? wheel.announceSleep() : wheel.nextDeadlineNanos();
                if (wake == TimerWheel.NEVER) {
                    permit.acquireUninterruptibly();
                }
            }
        });
        if (wheel.start(new Numbered(0), UNIT_NANOS)) {
            permit.release();
        }
        driver.join();
    }

    private static final class Numbered extends TimerNode {
        final int id;

        Numbered(int id) {
            this.id = id;
        }

        @Override
        protected void fire() {}
    }

    private static Numbered[] numbered() {
        var nodes = new Numbered[NODES];
        for (int i = 0; i < NODES; i++) {
            nodes[i] = new Numbered(i);
        }
        return nodes;
    }

    /** The production class. */
    @Param(name = "node", gen = IntGen.class, conf = "0:1")
    @Param(name = "deadline", gen = IntGen.class, conf = "0:7")
    @Param(name = "now", gen = IntGen.class, conf = "3:7")
    public static class Wheel {
        private final TimerWheel wheel = new TimerWheel(0, TICK_NANOS, 1, (node, failure) -> {});
        private final Numbered[] nodes = numbered();

        public Wheel() {
            for (Numbered node : nodes) {
                start(node.id, node.id);
            }
            wheel.beginAdvance(NODES * UNIT_NANOS);
        }

        @Operation
        public final boolean start(@Param(name = "node") int node, @Param(name = "deadline") int deadline) {
            try {
                wheel.start(nodes[node], deadline * UNIT_NANOS);
                return true;
            } catch (IllegalStateException e) {
                return false;
            }
        }

        @Operation
        public boolean cancel(@Param(name = "node") int node) {
            return wheel.cancel(nodes[node]);
        }

        @Operation(nonParallelGroup = "driver")
        public void begin(@Param(name = "now") int now) {
            wheel.endAdvance();
            wheel.beginAdvance(now * UNIT_NANOS);
        }

        @Operation(nonParallelGroup = "driver")
        public int claimDue() {
            return wheel.claimDue() instanceof Numbered node ? node.id : -1;
        }
    }

    /** The same set of timers, but for a claim that does not look again whether the node was cancelled meanwhile. */
    @Param(name = "node", gen = IntGen.class, conf = "0:1")
    @Param(name = "deadline", gen = IntGen.class, conf = "0:7")
    @Param(name = "now", gen = IntGen.class, conf = "3:7")
    public static class TwoStepTwin {
        private final ReentrantLock lock = new ReentrantLock();
        private final TimerSet timers = new TimerSet(0, TICK_NANOS, 1);
        private final Numbered[] nodes = numbered();

        public TwoStepTwin() {
            for (Numbered node : nodes) {
                start(node.id, node.id);
            }
            begin(NODES);
        }

        @Operation
        public final boolean start(@Param(name = "node") int node, @Param(name = "deadline") int deadline) {
            lock.lock();
            try {
                if (isStarted(nodes[node])) {
                    return false;
                }
                timers.add(nodes[node], deadline * UNIT_NANOS);
                return true;
            } finally {
                lock.unlock();
            }
        }

        @Operation
        public boolean cancel(@Param(name = "node") int node) {
            lock.lock();
            try {
                if (!isStarted(nodes[node])) {
                    return false;
                }
                timers.remove(nodes[node]);
                return true;
            } finally {
                lock.unlock();
            }
        }

        @Operation(nonParallelGroup = "driver")
        public final void begin(@Param(name = "now") int now) {
            lock.lock();
            try {
                timers.moveTo(now * UNIT_NANOS);
            } finally {
                lock.unlock();
            }
        }

        @Operation(nonParallelGroup = "driver")
        public int claimDue() {
            TimerNode due;
            lock.lock();
            try {
                due = timers.firstDue();
                while (due == null && timers.step()) {
                    due = timers.firstDue();
                }
            } finally {
                lock.unlock();
            }
            if (!(due instanceof Numbered node)) {
                return -1;
            }
            cancel(node.id);
            return node.id;
        }

        private static boolean isStarted(TimerNode node) {
            return node.next != node;
        }
    }

    /** What a wheel is, one call after the other. */
    @SuppressWarnings("unused") // Lincheck calls the methods by name
    public static class Specification {
        private record Pending(int node, int deadline, boolean eligible) {}

        private List<Pending> pending = new ArrayList<>();
        private int now;

        public Specification() {
            for (int node = 0; node < NODES; node++) {
                start(node, node);
            }
            begin(NODES);
        }

        public final boolean start(int node, int deadline) {
            return pending.stream().noneMatch(p -> p.node == node) && pending.add(new Pending(node, deadline, false));
        }

        public boolean cancel(int node) {
            return pending.removeIf(p -> p.node == node);
        }

        public final void begin(int now) {
            this.now = Math.max(this.now, now);
            var eligible = new ArrayList<Pending>();
            pending.forEach(p -> eligible.add(new Pending(p.node, p.deadline, true)));
            pending = eligible;
        }

        public int claimDue() {
            // The list is in order of start, and min() returns the first of equals.
            var due = pending.stream()
                    .filter(p -> p.eligible && p.deadline <= now)
                    .min(Comparator.comparingInt(Pending::deadline));
            due.ifPresent(pending::remove);
            return due.map(Pending::node).orElse(-1);
        }
    }
}
