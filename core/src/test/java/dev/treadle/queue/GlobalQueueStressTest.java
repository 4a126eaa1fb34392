// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.queue.FaultyGlobalQueue.Fault;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: each item is popped once, and those of one thread that pushes arrive at each thread that pops in the order in
 * which they were pushed.
 *
 * <p>Method: two threads push, two pop, singly or in batches, as fast as they can; all keep close together, because a
 * queue that is nearly empty is where pops overtake pushes. Catches: the faults of {@link FaultyGlobalQueue} that lose or
 * double items.
 */
class GlobalQueueStressTest {
    private static final int PUSHERS = 2;
    private static final int POPPERS = 2;
    private static final int PER_PUSHER = 50_000;
    private static final int AHEAD_MAX = 100;

    /** Pops one or several items, oldest first; none if the queue is empty. Made anew for each thread. */
    private interface Popper extends Supplier<List<Item>> {}

    @ParameterizedTest(name = "segments of {0}")
    @ValueSource(ints = {2, 16, 256})
    void givenPushersAndPoppers_thenEachItemIsPoppedOnceAndInOrder(int segmentLength) {
        assertRight(segmentLength, 1);
    }

    @Tag("stress")
    @ParameterizedTest(name = "segments of {0}")
    @ValueSource(ints = {2, 16, 256})
    void givenPushersAndPoppers_whenForLong_thenEachItemIsPoppedOnceAndInOrder(int segmentLength) {
        assertRight(segmentLength, Integer.getInteger("treadle.stress.rounds", 168));
    }

    @Test
    void givenTwinWithoutFault_whenStressed_thenEachItemIsPoppedOnce() {
        assertThat(findsFault(Fault.NONE, 1)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"LEAVES_SLOT", "CLAIMS_WITHOUT_CAS"})
    void givenFaultyTwin_whenStressed_thenFaultIsFound(Fault fault) {
        assertThat(findsFault(fault, 200))
                .as("a test that misses this fault is no test of the production class")
                .isTrue();
    }

    private static void assertRight(int segmentLength, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int looksMax : new int[] {0, 64}) {
                var queue = new GlobalQueue<Item>(segmentLength, looksMax);

                Tally tally = run(queue::push, number -> number == 0 ? one(queue::pop) : batch(queue));

                assertThat(tally.isRight()).as("%s, %s", tally, queue).isTrue();
                assertThat(queue.isEmpty()).isTrue();
                assertThat(Queues.reachableFrom(queue)).isEmpty();
            }
        }
    }

    private static boolean findsFault(Fault fault, int rounds) {
        for (int round = 0; round < rounds; round++) {
            var queue = new FaultyGlobalQueue(fault, 8 * PUSHERS * PER_PUSHER);
            if (!run(queue::push, number -> one(queue::pop)).isRight()) {
                return true;
            }
        }
        return false;
    }

    private static Popper one(Supplier<Item> pop) {
        return () -> {
            Item item = pop.get();
            return item == null ? List.of() : List.of(item);
        };
    }

    private static Popper batch(GlobalQueue<Item> queue) {
        var mine = new WorkStealingDeque<Item>();
        return () -> Queues.takeAll(queue.popBatchInto(mine, 16), mine);
    }

    private static Tally run(Consumer<Item> push, Function<Integer, Popper> poppers) {
        var pushing = new AtomicInteger(PUSHERS);
        var popped = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(PUSHERS + POPPERS);
        try {
            for (int i = 0; i < PUSHERS; i++) {
                int first = i * PER_PUSHER;
                threads.execute(() -> pushAll(push, first, popped, pushing));
            }
            var pops = new ArrayList<CompletableFuture<Tally>>();
            for (int i = 0; i < POPPERS; i++) {
                Popper popper = poppers.apply(i);
                pops.add(CompletableFuture.supplyAsync(() -> popAll(popper, popped, pushing), threads));
            }
            var tally = new Tally(PUSHERS * PER_PUSHER);
            for (CompletableFuture<Tally> pop : pops) {
                tally = tally.plus(pop.orTimeout(60, SECONDS).join());
            }
            return tally;
        } finally {
            threads.shutdownNow();
        }
    }

    private static void pushAll(Consumer<Item> push, int first, AtomicInteger popped, AtomicInteger pushing) {
        for (int i = 0; i < PER_PUSHER; i++) {
            push.accept(new Item(first + i));
            // About half of what is popped is this thread's. A lost item makes it wait in vain, so it gives up.
            for (int looks = 0; looks < 100 && i - popped.get() / PUSHERS > AHEAD_MAX; looks++) {
                Thread.onSpinWait();
            }
        }
        pushing.decrementAndGet();
    }

    private static Tally popAll(Popper popper, AtomicInteger popped, AtomicInteger pushing) {
        var tally = new Tally(PUSHERS * PER_PUSHER);
        var last = new int[PUSHERS];
        Arrays.fill(last, -1);
        for (; ; ) {
            boolean over = pushing.get() == 0;
            List<Item> items = popper.get();
            for (Item item : items) {
                int pusher = item.number() / PER_PUSHER;
                if (item.number() <= last[pusher]) {
                    tally.countMisplaced();
                    continue;
                }
                last[pusher] = item.number();
                tally.count(item);
            }
            popped.addAndGet(items.size());
            if (items.isEmpty()) {
                if (over) {
                    return tally;
                }
                Thread.yield();
            }
        }
    }
}
