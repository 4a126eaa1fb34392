// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.queue.FaultyGlobalQueue.Fault;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: every result that threads get from the queue could have come from a plain one, used by one thread at a time; no
 * thread waits for another; no slot keeps an item that was taken; a batch loses nothing; and nobody is told that the
 * queue is empty while an item waits that was pushed before.
 *
 * <p>Method: Lincheck runs few calls through many interleavings, on segments of two slots. A batch and a look at an empty
 * queue promise less than a plain queue does, so they have scenarios of their own, with assertions. It finds the fault in
 * each twin that {@link FaultyGlobalQueue} offers.
 */
@Tag("model")
class GlobalQueueModelTest {
    private static final int SEGMENT_LENGTH = 2;

    @Test
    void givenManyThreads_whenModelChecked_thenLinearizable() {
        modelChecking(5, 100).check(Production.class);
    }

    @Test
    void givenManyThreads_whenStressed_thenLinearizable() {
        new StressOptions()
                .iterations(4)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(2)
                .sequentialSpecification(Spec.class)
                .check(Production.class);
    }

    @Test
    @Tag("deep")
    void givenManyThreads_whenModelCheckedAtLength_thenLinearizable() {
        modelChecking(100, 2_000).actorsPerThread(4).check(Production.class);
    }

    @Test
    @Tag("deep")
    void givenThreeThreads_whenModelCheckedAtLength_thenLinearizable() {
        modelChecking(100, 2_000).threads(3).actorsPerThread(2).check(Production.class);
    }

    @Test
    void givenBatchAndPopAndPush_whenModelChecked_thenEachItemOnceAndInOrder() {
        Lincheck.runConcurrentTest(40, () -> {
            var queue = new GlobalQueue<Item>(SEGMENT_LENGTH, 0);
            push(queue, 1, 2, 3);
            var batch = new ArrayList<Item>();
            var popped = new ArrayList<Item>();

            inParallel(
                    () -> {
                        var mine = new WorkStealingDeque<Item>(4, 4);
                        batch.addAll(Queues.takeAll(queue.popBatchInto(mine, 1), mine));
                    },
                    () -> addIfAny(popped, queue.pop()),
                    () -> push(queue, 4, 5));

            var rest = new ArrayList<Item>();
            for (Item item = queue.pop(); item != null; item = queue.pop()) {
                rest.add(item);
            }
            check(isAscending(batch) && isAscending(rest), "out of order: ", batch, popped, rest);
            check(areOneTo(5, batch, popped, rest), "lost or doubled: ", batch, popped, rest);
            check(!batch.isEmpty() && !popped.isEmpty(), "empty although three were there: ", batch, popped, rest);
        });
    }

    @Test
    void givenTwoPushedAndOnePopped_whenModelChecked_thenNeverEmpty() {
        Lincheck.runConcurrentTest(40, () -> {
            var queue = new GlobalQueue<Item>(SEGMENT_LENGTH, 0);

            inParallel(
                    () -> {
                        push(queue, 1, 2);
                        check(!queue.isEmpty(), "empty although two were pushed and at most one popped: ", queue);
                    },
                    () -> queue.pop());
        });
    }

    @Test
    void givenTwinWithoutFault_whenModelChecked_thenLinearizable() {
        modelChecking(5, 100).check(Faultless.class);
    }

    @Test
    void givenTwinThatLeavesSlot_whenModelChecked_thenFaultFound() {
        assertFaultFound(LeavingSlot.class);
    }

    @Test
    void givenTwinThatClaimsWithoutCas_whenModelChecked_thenFaultFound() {
        assertFaultFound(ClaimingWithoutCas.class);
    }

    @Test
    void givenTwinThatReadsPushedFirst_whenModelChecked_thenFaultFound() {
        assertFaultFound(ReadingPushedFirst.class);
    }

    private static void assertFaultFound(Class<? extends Calls> twin) {
        assertThatThrownBy(() ->
                        modelChecking(40, 500).minimizeFailedScenario(false).check(twin))
                .as("a test that misses this fault is no test of the production class")
                .isInstanceOf(LincheckAssertionError.class);
    }

    private static ModelCheckingOptions modelChecking(int iterations, int invocations) {
        return new ModelCheckingOptions()
                .iterations(iterations)
                .invocationsPerIteration(invocations)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(3)
                .checkObstructionFreedom(true)
                .sequentialSpecification(Spec.class);
    }

    private static void push(GlobalQueue<Item> queue, int... numbers) {
        for (int number : numbers) {
            queue.push(new Item(number));
        }
    }

    private static void addIfAny(List<Item> items, @Nullable Item item) {
        if (item != null) {
            items.add(item);
        }
    }

    @SafeVarargs
    private static boolean areOneTo(int last, List<Item>... taken) {
        var numbers = new BitSet();
        int count = 0;
        for (List<Item> items : taken) {
            items.forEach(item -> numbers.set(item.number()));
            count += items.size();
        }
        return count == last && numbers.cardinality() == last;
    }

    private static boolean isAscending(List<Item> items) {
        for (int i = 1; i < items.size(); i++) {
            if (items.get(i - 1).number() >= items.get(i).number()) {
                return false;
            }
        }
        return true;
    }

    private static void check(boolean right, String problem, Object... seen) {
        if (!right) {
            throw new IllegalStateException(problem + List.of(seen));
        }
    }

    private static void inParallel(Runnable... bodies) {
        var threads = new ArrayList<Thread>();
        for (Runnable body : bodies) {
            var thread = new Thread(body);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** The calls, on whatever queue. */
    @Param(name = "number", gen = IntGen.class, conf = "1:99")
    public abstract static class Calls {
        @Operation(params = "number")
        public void push(int number) {
            push(new Item(number));
        }

        @Operation(params = {})
        public int pop() {
            Item item = popItem();
            return item == null ? 0 : item.number();
        }

        abstract void push(Item item);

        @Nullable
        abstract Item popItem();
    }

    /** The production class, with short segments, and without the wait that makes burnt slots rare. */
    public static final class Production extends Calls {
        private final GlobalQueue<Item> queue = new GlobalQueue<>(SEGMENT_LENGTH, 0);

        @Override
        void push(Item item) {
            queue.push(item);
        }

        @Override
        @Nullable
        Item popItem() {
            return queue.pop();
        }

        @Validate
        public void nothingTakenIsReachable() {
            if (Queues.reachableFrom(queue).size() > queue.size()) {
                throw new IllegalStateException(queue + " keeps " + Queues.reachableFrom(queue));
            }
        }
    }

    /** A twin. */
    public abstract static class Twin extends Calls {
        private final FaultyGlobalQueue queue;

        Twin(Fault fault) {
            queue = new FaultyGlobalQueue(fault, 64);
        }

        @Override
        void push(Item item) {
            queue.push(item);
        }

        @Override
        @Nullable
        Item popItem() {
            return queue.pop();
        }
    }

    public static final class Faultless extends Twin {
        public Faultless() {
            super(Fault.NONE);
        }
    }

    public static final class LeavingSlot extends Twin {
        public LeavingSlot() {
            super(Fault.LEAVES_SLOT);
        }
    }

    public static final class ClaimingWithoutCas extends Twin {
        public ClaimingWithoutCas() {
            super(Fault.CLAIMS_WITHOUT_CAS);
        }
    }

    public static final class ReadingPushedFirst extends Twin {
        public ReadingPushedFirst() {
            super(Fault.READS_PUSHED_BEFORE_POPPED);
        }
    }

    /** What the calls must seem to do. */
    public static final class Spec {
        private final ArrayDeque<Integer> numbers = new ArrayDeque<>();

        public void push(int number) {
            numbers.add(number);
        }

        public int pop() {
            return numbers.isEmpty() ? 0 : numbers.removeFirst();
        }
    }
}
