// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: used by one thread, two deques behave like two plain ones, whatever the calls. Method: random calls on both, with
 * random small capacities, and indexes and tags near where they go round; a failure names the seed, and
 * {@code -Dtreadle.seed} repeats it.
 */
class WorkStealingDequePropertyTest {
    private static final int ROUNDS = 2_000;
    private static final int CALLS = 200;

    @Test
    void givenRandomCalls_thenSameAsPlainDeque() {
        long seed = Long.getLong("treadle.seed", System.nanoTime());
        var seeds = new SplittableRandom(seed);
        for (int round = 0; round < ROUNDS; round++) {
            new Round("seed %d, round %d".formatted(seed, round), seeds.split()).run();
        }
    }

    private static final class Round {
        private final String name;
        private final SplittableRandom random;
        private final int capacityMax;
        private final int stealMax;
        private final WorkStealingDeque<Item> deque;
        private final WorkStealingDeque<Item> mine;
        private final Deque<Item> dequeModel = new ArrayDeque<>();
        private final Deque<Item> mineModel = new ArrayDeque<>();
        private final int pushPercent;

        Round(String name, SplittableRandom random) {
            this.name = name;
            this.random = random;
            this.capacityMax = 1 << random.nextInt(6);
            this.stealMax = 1 + random.nextInt(5);
            this.pushPercent = 30 + random.nextInt(40);
            this.deque = newDeque();
            this.mine = newDeque();
        }

        private WorkStealingDeque<Item> newDeque() {
            int capacityInitial = Math.min(capacityMax, 1 << random.nextInt(4));
            int index = TopWord.add(0, random.nextInt(-40, 10));
            return new WorkStealingDeque<>(
                    capacityInitial, capacityMax, stealMax, index, TopWord.TAG_MAX - random.nextInt(40));
        }

        void run() {
            for (int call = 0; call < CALLS; call++) {
                if (random.nextInt(100) < pushPercent) {
                    push(new Item(call));
                } else {
                    take(random.nextInt(6));
                }
                assertThat(deque.size()).as(name).isEqualTo(dequeModel.size());
                assertThat(deque.isEmpty()).as(name).isEqualTo(dequeModel.isEmpty());
            }
            assertThat(Queues.reachableFrom(deque)).as(name).containsExactlyInAnyOrderElementsOf(dequeModel);
            assertThat(Queues.reachableFrom(mine)).as(name).containsExactlyInAnyOrderElementsOf(mineModel);
        }

        private void push(Item item) {
            boolean accepted = dequeModel.size() < capacityMax;
            assertThat(deque.push(item)).as(name).isEqualTo(accepted);
            if (accepted) {
                dequeModel.addLast(item);
            }
        }

        private void take(int how) {
            switch (how) {
                case 0, 1 -> assertThat(deque.pop()).as(name).isSameAs(dequeModel.pollLast());
                case 2 -> assertThat(deque.steal()).as(name).isSameAs(dequeModel.pollFirst());
                case 3 -> assertThat(mine.pop()).as(name).isSameAs(mineModel.pollLast());
                case 4 -> assertThat(mine.steal()).as(name).isSameAs(mineModel.pollFirst());
                default -> assertThat(deque.stealHalfInto(mine)).as(name).isSameAs(stealHalfFromModel());
            }
        }

        private @Nullable Item stealHalfFromModel() {
            int half = (dequeModel.size() + 1) / 2;
            int count = Math.min(Math.min(half, stealMax), 1 + capacityMax - mineModel.size());
            assertThat(mine.transferred()).as(name).isEqualTo(count);
            Item first = dequeModel.pollFirst();
            var others = new ArrayDeque<Item>();
            for (int i = 1; i < count; i++) {
                others.push(dequeModel.removeFirst());
            }
            mineModel.addAll(others);
            return first;
        }
    }
}
