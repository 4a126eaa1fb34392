// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.timer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Goal: a wheel fires what a priority queue would, in the same order, whatever the tick, the number of slots, the size of
 * the jumps and the sign of the time. Method: the same random starts, cancels and advances on both, with fires that start
 * and cancel nodes in turn. Each run takes its numbers from one seed, which a failure prints.
 *
 * <p>Caught when tried by hand: a drain that files at the end (start order), an unstable merge, a jump past a slot that is
 * not empty, a node started for the current tick that fires in the same advance. Cannot catch: what goes wrong between two
 * batches of a drain (see TimerSetTest), races (see TimerWheelRaceTest).
 */
class TimerWheelModelTest {
    private static final int RUNS = Integer.getInteger("model.runs", 3_000);
    private static final long FIRST_SEED = Long.getLong("model.seed", 1);
    private static final int NODES = 40;
    private static final int OPERATIONS = 300;
    private static final long[] ORIGINS = {0, -1_000, 1_234_567, Long.MAX_VALUE - 500, Long.MIN_VALUE, -(1L << 40)};

    @Test
    void whenDrivenAtRandom_thenTheWheelAgreesWithAPriorityQueue() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            try {
                new Run(seed).execute();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + " (run it alone: -Dmodel.seed=" + seed + ")", e);
            }
        }
    }

    /** Deadlines and times around the first tick of a slot of each level, where nodes change their place. */
    @Test
    void whenTimeCrossesTheBordersOfEachLevel_thenNothingIsEarlyOrMissed() {
        for (int slotBits : new int[] {1, 2, 6}) {
            for (long tickNanos : new long[] {1, 3, 1_000_000}) {
                for (int shift = 0; shift <= 40; shift += slotBits) {
                    long border = tickNanos << shift;
                    if (border > 1L << 60) {
                        break;
                    }
                    crossBorder(slotBits, tickNanos, border);
                }
            }
        }
    }

    private static void crossBorder(int slotBits, long tickNanos, long border) {
        String place = "slotBits " + slotBits + ", tickNanos " + tickNanos + ", border " + border;
        for (long from : new long[] {-2, -1, 0, 1}) {
            for (long to : new long[] {-1, 0, 1, tickNanos - 1, tickNanos, border}) {
                long start = Math.max(0, border + from);
                long deadline = Math.max(1, border + to);
                var fired = new ArrayList<String>();
                var wheel = new TimerWheel(0, tickNanos, slotBits, (node, failure) -> {});
                wheel.start(new NamedTimer("before", fired), deadline);
                wheel.advance(Math.min(start, deadline - 1));
                wheel.start(new NamedTimer("after", fired), deadline);

                assertThat(wheel.advance(deadline - 1)).as(place).isZero();
                assertThat(wheel.nextDeadlineNanos()).as(place).isLessThanOrEqualTo(deadline);
                assertThat(wheel.advance(deadline)).as(place).isEqualTo(2);
                assertThat(fired).as(place).containsExactly("before", "after");
            }
        }
    }

    /** The wheel and the model, and what is done to both. */
    private static final class Run {
        private final long seed;
        private final SplittableRandom random;
        private final long origin;
        private final long tickNanos;
        private final TimerWheel wheel;
        private final Model model = new Model();
        private final List<Node> nodes = new ArrayList<>();
        private final List<Integer> fired = new ArrayList<>();
        private long now;

        Run(long seed) {
            this.seed = seed;
            this.random = new SplittableRandom(seed);
            this.origin = ORIGINS[random.nextInt(ORIGINS.length)];
            this.tickNanos = random.nextBoolean() ? 1L << random.nextInt(8) : random.nextInt(1, 2_000);
            int slotBits = random.nextInt(1, TimerSlots.SLOT_BITS_MAX + 1);
            this.wheel = new TimerWheel(origin, tickNanos, slotBits, (node, failure) -> {
                throw new AssertionError(failure);
            });
            this.now = origin;
            for (int i = 0; i < NODES; i++) {
                nodes.add(new Node(i, this));
            }
        }

        void execute() {
            for (int i = 0; i < OPERATIONS; i++) {
                int id = random.nextInt(NODES);
                switch (random.nextInt(8)) {
                    case 0, 1, 2, 3 -> start(id, now - 2 * tickNanos + distance());
                    case 4 -> cancel(id);
                    default -> advance();
                }
                assertThat(wheel.size()).isEqualTo(model.queue.size());
                if (model.queue.isEmpty()) {
                    assertThat(wheel.nextDeadlineNanos()).isEqualTo(TimerWheel.NEVER);
                } else {
                    assertThat(wheel.nextDeadlineNanos() - model.queue.element().deadline)
                            .isLessThanOrEqualTo(0);
                }
            }
        }

        private void start(int id, long deadline) {
            if (!model.started.containsKey(id)) {
                model.start(id, deadline);
                wheel.start(nodes.get(id), deadline);
            }
        }

        private void cancel(int id) {
            assertThat(wheel.cancel(nodes.get(id))).isEqualTo(model.started.containsKey(id));
            model.cancel(id);
        }

        private void advance() {
            now += distance();
            fired.clear();

            int count = wheel.advance(now);

            assertThat(fired).isEqualTo(model.advance(now, this));
            assertThat(count).isEqualTo(fired.size());
        }

        private long distance() {
            return switch (random.nextInt(6)) {
                case 0 -> 0;
                case 1, 2 -> random.nextLong(4 * tickNanos);
                case 3 -> tickNanos << random.nextInt(20);
                case 4 -> (tickNanos << random.nextInt(20)) - 1;
                default -> random.nextLong(1L << random.nextInt(1, 45));
            };
        }

        /** What a node does when it fires for the n-th time: the same in the wheel and in the model. */
        private void act(int id, int count, Actions actions) {
            var dice = new SplittableRandom(seed * 31 + id * 1_009L + count);
            int other = dice.nextInt(NODES);
            long delay = dice.nextLong(3 * tickNanos);
            switch (dice.nextInt(6)) {
                case 0 -> actions.start(id, now + delay);
                case 1 -> actions.start(id, now);
                case 2 -> actions.cancel(other);
                case 3 -> actions.start(other, now + delay - tickNanos);
                default -> {}
            }
        }
    }

    private interface Actions {
        void start(int id, long deadline);

        void cancel(int id);
    }

    private static final class Node extends TimerNode implements Actions {
        private final int id;
        private final Run run;
        private int count;

        Node(int id, Run run) {
            this.id = id;
            this.run = run;
        }

        @Override
        protected void fire() {
            assertThat(deadlineNanos() - run.now).as("never early").isLessThanOrEqualTo(0);
            run.fired.add(id);
            run.act(id, count++, this);
        }

        @Override
        public void start(int id, long deadline) {
            Node node = run.nodes.get(id);
            if (node.wheel == null) {
                run.wheel.start(node, deadline);
            }
        }

        @Override
        public void cancel(int id) {
            run.wheel.cancel(run.nodes.get(id));
        }
    }

    /** The promise in its simplest form. */
    private static final class Model implements Actions {
        private final PriorityQueue<Entry> queue = new PriorityQueue<>();
        private final Map<Integer, Entry> started = new HashMap<>();
        private final Map<Integer, Integer> counts = new HashMap<>();
        private long order;

        private record Entry(long deadline, long order, int id) implements Comparable<Entry> {
            @Override
            public int compareTo(Entry other) {
                int byDeadline = Long.signum(deadline - other.deadline);
                return byDeadline != 0 ? byDeadline : Long.compare(order, other.order);
            }
        }

        @Override
        public void start(int id, long deadline) {
            if (!started.containsKey(id)) {
                var entry = new Entry(deadline, order++, id);
                started.put(id, entry);
                queue.add(entry);
            }
        }

        @Override
        public void cancel(int id) {
            Entry entry = started.remove(id);
            if (entry != null) {
                queue.remove(entry);
            }
        }

        List<Integer> advance(long now, Run run) {
            long orderBegin = order;
            var fired = new ArrayList<Integer>();
            while (true) {
                Entry due = queue.stream()
                        .filter(entry -> entry.order < orderBegin && entry.deadline - now <= 0)
                        .min(Entry::compareTo)
                        .orElse(null);
                if (due == null) {
                    return fired;
                }
                cancel(due.id);
                fired.add(due.id);
                run.act(due.id, counts.merge(due.id, 1, Integer::sum) - 1, this);
            }
        }
    }
}
