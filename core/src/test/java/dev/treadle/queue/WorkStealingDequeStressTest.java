// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.queue.DequeSubject.Thief;
import dev.treadle.queue.FaultyDeque.Fault;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: whoever takes items, each is taken once, on the real processor and with what the compiler makes of the code; and
 * nothing that was taken stays reachable.
 *
 * <p>Method: the owner pushes and pops in short bursts, so that it meets the thieves at the top all the time. Bursts are
 * random, or one longer than what a thief may take: then each first pop is at the edge of a thief's reach, where the owner
 * needs a fence and no CAS. All threads count what they take. The deque starts with two slots and its indexes near the
 * wrap. Catches: what {@link FaultyDeque} offers. Cannot catch on x86: a slot that is seen after bottom was.
 */
class WorkStealingDequeStressTest {
    private static final int ROUND = 250_000;
    private static final int BURST_MAX = 8;

    @ParameterizedTest(name = "{0} thieves")
    @ValueSource(ints = {1, 2, 3})
    void givenThieves_whenOwnerWorks_thenEachItemIsTakenOnce(int thieves) {
        assertRight(thieves, 4);
    }

    @Tag("stress")
    @ParameterizedTest(name = "{0} thieves")
    @ValueSource(ints = {1, 2, 3})
    void givenThieves_whenOwnerWorksForLong_thenEachItemIsTakenOnce(int thieves) {
        assertRight(thieves, Integer.getInteger("treadle.stress.rounds", 136));
    }

    @Test
    void givenTwinWithoutFault_whenStressed_thenEachItemIsTakenOnce() {
        assertThat(findsFault(Fault.NONE, 2)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"POPS_WITHOUT_CAS", "KEEPS_TAG"})
    void givenFaultyTwin_whenStressed_thenFaultIsFound(Fault fault) {
        assertThat(findsFault(fault, 800))
                .as("a test that misses this fault is no test of the production class")
                .isTrue();
    }

    /** Not by default: it takes two processors that are free. */
    @Tag("stress")
    @Test
    void givenTwinWithoutFence_whenStressed_thenFaultIsFound() {
        assertThat(findsFault(Fault.POPS_WITHOUT_FENCE, 4_000))
                .as("a test that misses this fault is no test of the production class")
                .isTrue();
    }

    private static void assertRight(int thieves, int rounds) {
        long seed = Long.getLong("treadle.seed", System.nanoTime());
        var random = new SplittableRandom(seed);
        for (int round = 0; round < rounds; round++) {
            String name = "seed %d, round %d".formatted(seed, round);
            int stealMax = round / 2 % 2 == 0 ? 2 : WorkStealingDeque.TRANSFER_MAX;
            var deque = new ProductionDeque(new WorkStealingDeque<>(
                    2, WorkStealingDeque.CAPACITY_MAX, stealMax, TopWord.INDEX_MASK - 2, TopWord.TAG_MAX - 2));

            Tally tally = run(deque, thieves, bursts(round, stealMax, random.split()));

            assertThat(tally.isRight()).as("%s: %s", name, tally).isTrue();
            assertThat(deque.reachable()).as(name).isEmpty();
        }
    }

    private static boolean findsFault(Fault fault, int rounds) {
        for (int round = 0; round < rounds; round++) {
            var deque = new FaultyDeque(fault, 1 << 10);
            if (!run(deque, 1, bursts(round, FaultyDeque.STEAL_MAX, new SplittableRandom()))
                    .isRight()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the length of the next burst of pushes, given 0, or of pops, given 1. */
    private static IntUnaryOperator bursts(int round, int stealMax, SplittableRandom random) {
        return round % 2 == 0 ? pops -> 1 - pops + random.nextInt(BURST_MAX) : pops -> stealMax + 1;
    }

    /** Pushes a round of items and returns the count of those that owner and thieves took. */
    private static Tally run(DequeSubject deque, int thieves, IntUnaryOperator bursts) {
        ExecutorService threads = Executors.newFixedThreadPool(thieves);
        try {
            var over = new CompletableFuture<Void>();
            var thefts = new ArrayList<CompletableFuture<Tally>>();
            for (int i = 0; i < thieves; i++) {
                thefts.add(CompletableFuture.supplyAsync(() -> stealUntil(over, deque), threads));
            }
            Tally tally = pushAndPop(deque, bursts);
            over.complete(null);
            for (CompletableFuture<Tally> theft : thefts) {
                tally = tally.plus(theft.orTimeout(60, SECONDS).join());
            }
            return tally;
        } finally {
            threads.shutdownNow();
        }
    }

    private static Tally pushAndPop(DequeSubject deque, IntUnaryOperator bursts) {
        var tally = new Tally(ROUND);
        int pushed = 0;
        while (pushed < ROUND) {
            for (int burst = bursts.applyAsInt(0); burst > 0 && pushed < ROUND; burst--) {
                if (deque.push(new Item(pushed))) {
                    pushed++;
                }
            }
            pop(deque, tally, bursts.applyAsInt(1));
        }
        pop(deque, tally, ROUND); // a faulty deque may never run dry
        return tally;
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

    /** A thief: half of what is there and one item, by turns. */
    private static Tally stealUntil(CompletableFuture<Void> over, DequeSubject deque) {
        var tally = new Tally(ROUND);
        Thief thief = deque.thief();
        var stolen = new Item[WorkStealingDeque.TRANSFER_MAX];
        for (int turn = 0; ; turn++) {
            boolean last = over.isDone();
            int count;
            if (turn % 2 == 0) {
                count = thief.stealHalf(stolen);
            } else {
                stolen[0] = deque.steal();
                count = stolen[0] == null ? 0 : 1;
            }
            for (int i = 0; i < count; i++) {
                tally.count(stolen[i]);
            }
            if (last && count == 0) {
                return tally;
            }
        }
    }
}
