// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Goal: used by one thread, the queue behaves like a plain one, whatever the calls. Method: random calls, with segments of
 * random length; a failure names the seed, and {@code -Dtreadle.seed} repeats it.
 */
class GlobalQueuePropertyTest {
    private static final int ROUNDS = 2_000;
    private static final int CALLS = 200;

    @Test
    void givenRandomCalls_thenSameAsPlainQueue() {
        long seed = Long.getLong("treadle.seed", System.nanoTime());
        var seeds = new SplittableRandom(seed);
        for (int round = 0; round < ROUNDS; round++) {
            run("seed %d, round %d".formatted(seed, round), seeds.split());
        }
    }

    private static void run(String name, SplittableRandom random) {
        var queue = new GlobalQueue<Item>(1 + random.nextInt(5), random.nextInt(2));
        var mine = new WorkStealingDeque<Item>(1, 1 << random.nextInt(5));
        var model = new ArrayDeque<Item>();
        int pushPercent = 30 + random.nextInt(60);
        for (int call = 0; call < CALLS; call++) {
            if (random.nextInt(100) < pushPercent) {
                var item = new Item(call);
                queue.push(item);
                model.add(item);
            } else if (random.nextBoolean()) {
                assertThat(queue.pop()).as(name).isSameAs(model.poll());
            } else {
                int extraMax = random.nextInt(20);
                int countMax = 1 + Math.min(extraMax, (int) Queues.field(mine, "capacityMax"));
                assertThat(Queues.takeAll(queue.popBatchInto(mine, extraMax), mine))
                        .as(name)
                        .isEqualTo(pollUpTo(countMax, model));
            }
            assertThat(queue.size()).as(name).isEqualTo(model.size());
            assertThat(queue.isEmpty()).as(name).isEqualTo(model.isEmpty());
        }
        assertThat(Queues.reachableFrom(queue)).as(name).containsExactlyElementsOf(model);
    }

    private static List<Item> pollUpTo(int countMax, Deque<Item> model) {
        var items = new ArrayList<Item>();
        while (items.size() < countMax && !model.isEmpty()) {
            items.add(model.poll());
        }
        return items;
    }
}
