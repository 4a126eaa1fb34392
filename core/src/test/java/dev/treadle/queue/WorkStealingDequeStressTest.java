// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.queue.DequeSubject.Thief;
import dev.treadle.queue.FaultyDeque.Fault;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: whoever takes items, each is taken once, on the real processor and with what the compiler makes of the code.
 *
 * <p>Method: the owner pushes and pops in short random bursts, so that it meets the thieves at the top all the time; the
 * deque starts with two slots and its indexes near the wrap. All threads count what they take. Catches: the faults of
 * {@link FaultyDeque} that take a race of a few instructions. Cannot catch on x86: a store of a slot that is seen after
 * the store of bottom.
 */
class WorkStealingDequeStressTest {
    private static final int ROUND = 1_000_000;
    private static final int BURST_MAX = 8;

    @ParameterizedTest(name = "{0} thieves")
    @ValueSource(ints = {1, 2, 3})
    void givenThieves_whenOwnerWorks_thenEachItemIsTakenOnce(int thieves) {
        assertRight(thieves, 1);
    }

    @Tag("stress")
    @ParameterizedTest(name = "{0} thieves")
    @ValueSource(ints = {1, 2, 3})
    void givenThieves_whenOwnerWorksForLong_thenEachItemIsTakenOnce(int thieves) {
        assertRight(thieves, Integer.getInteger("treadle.stress.rounds", 34));
    }

    @Test
    void givenTwinWithoutFault_whenStressed_thenEachItemIsTakenOnce() {
        assertThat(findFault(Fault.NONE, 1)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"POPS_WITHOUT_CAS", "KEEPS_TAG"})
    void givenFaultyTwin_whenStressed_thenFaultIsFound(Fault fault) {
        assertThat(findFault(fault, 200))
                .as("a test that misses this fault is no test of the production class")
                .isTrue();
    }

    private static void assertRight(int thieves, int rounds) {
        long seed = Long.getLong("treadle.seed", System.nanoTime());
        var random = new SplittableRandom(seed);
        for (int round = 0; round < rounds; round++) {
            int stealMax = round % 2 == 0 ? 2 : WorkStealingDeque.TRANSFER_MAX;
            var deque = new WorkStealingDeque<Item>(
                    2, WorkStealingDeque.CAPACITY_MAX, stealMax, TopWord.INDEX_MASK - 2, TopWord.TAG_MAX - 2);

            Tally tally = run(DequeSubject.of(deque), thieves, random.split());

            assertThat(tally.isRight())
                    .as("%s, seed %d, round %d", tally, seed, round)
                    .isTrue();
            assertThat(Queues.reachableFrom(deque))
                    .as("seed %d, round %d", seed, round)
                    .isEmpty();
        }
    }

    private static boolean findFault(Fault fault, int rounds) {
        var random = new SplittableRandom();
        for (int round = 0; round < rounds; round++) {
            if (!run(new FaultyDeque(fault, 1 << 10), 1, random.split()).isRight()) {
                return true;
            }
        }
        return false;
    }

    /** Pushes a round of items and returns the count of those that owner and thieves took. */
    private static Tally run(DequeSubject deque, int thieves, SplittableRandom random) {
        var tally = new Tally(ROUND);
        ExecutorService threads = Executors.newFixedThreadPool(thieves);
        try {
            var over = new CompletableFuture<Void>();
            CompletableFuture<?>[] thefts = IntStream.range(0, thieves)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> stealUntil(over, deque, tally, i), threads))
                    .toArray(CompletableFuture<?>[]::new);
            pushAndPop(deque, tally, random);
            over.complete(null);
            CompletableFuture.allOf(thefts).orTimeout(60, SECONDS).join();
        } finally {
            threads.shutdownNow();
        }
        return tally;
    }

    private static void pushAndPop(DequeSubject deque, Tally tally, SplittableRandom random) {
        int pushed = 0;
        while (pushed < ROUND) {
            for (int burst = 1 + random.nextInt(BURST_MAX); burst > 0 && pushed < ROUND; burst--) {
                if (deque.push(new Item(pushed))) {
                    pushed++;
                }
            }
            pop(deque, tally, random.nextInt(BURST_MAX));
        }
        pop(deque, tally, ROUND); // a faulty deque may never run dry
    }

    private static void pop(DequeSubject deque, Tally tally, int countMax) {
        for (int i = 0; i < countMax; i++) {
            Item item = deque.pop();
            if (item == null) {
                return;
            }
            tally.count(item);
        }
    }

    private static void stealUntil(CompletableFuture<Void> over, DequeSubject deque, Tally tally, int number) {
        Thief thief = deque.thief();
        Item[] stolen = new Item[WorkStealingDeque.TRANSFER_MAX];
        Supplier<Integer> half = () -> thief.stealHalf(stolen);
        Supplier<Integer> one = () -> {
            stolen[0] = deque.steal();
            return stolen[0] == null ? 0 : 1;
        };
        // The first thief always takes half; the others take turns.
        for (int turn = 0; ; turn++) {
            boolean last = over.isDone();
            int count = (turn & number) == 0 ? half.get() : one.get();
            for (int i = 0; i < count; i++) {
                tally.count(stolen[i]);
            }
            if (last && count == 0) {
                return;
            }
        }
    }
}
