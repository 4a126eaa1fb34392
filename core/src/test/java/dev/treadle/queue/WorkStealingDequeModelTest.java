// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.queue.FaultyDeque.Fault;
import java.util.ArrayDeque;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: every result that owner and thieves get from the deque could have come from a plain one, used by one thread at a
 * time; no thread waits for another; and no slot keeps an item that was taken.
 *
 * <p>Method: Lincheck runs random scenarios of few calls through many interleavings, on a deque of two slots that grows
 * and of which a thief takes at most two items. It finds the fault in each twin that {@link FaultyDeque} offers. It cannot
 * find a missing fence: it knows sequential consistency only.
 */
@Tag("model")
class WorkStealingDequeModelTest {
    private static final int CAPACITY = 2;
    private static final int STEAL_MAX = 2;
    private static final int PUSHED_BEFORE = 4;

    @Test
    void givenOwnerAndThieves_whenModelChecked_thenLinearizable() {
        modelChecking(5, 100).check(Growing.class);
    }

    @Test
    void givenFullDeque_whenModelChecked_thenLinearizable() {
        modelChecking(5, 100).sequentialSpecification(LimitedSpec.class).check(Limited.class);
    }

    @Test
    void givenOwnerAndThieves_whenStressed_thenLinearizable() {
        new StressOptions()
                .iterations(4)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(2)
                .sequentialSpecification(Spec.class)
                .check(Growing.class);
    }

    @Test
    @Tag("deep")
    void givenOwnerAndThieves_whenModelCheckedAtLength_thenLinearizable() {
        modelChecking(100, 2_000).actorsPerThread(4).check(Growing.class);
    }

    @Test
    @Tag("deep")
    void givenFullDeque_whenModelCheckedAtLength_thenLinearizable() {
        modelChecking(100, 2_000)
                .actorsPerThread(4)
                .sequentialSpecification(LimitedSpec.class)
                .check(Limited.class);
    }

    @Test
    void givenTwinWithoutFault_whenModelChecked_thenLinearizable() {
        modelChecking(5, 100).check(Faultless.class);
    }

    @Test
    void givenTextbookDeque_whenModelChecked_thenFaultFound() {
        assertFaultFound(PoppingWithoutCas.class);
    }

    @Test
    void givenTwinThatKeepsTag_whenModelChecked_thenFaultFound() {
        assertFaultFound(KeepingTag.class);
    }

    @Test
    void givenTwinThatPopsWhatIsGone_whenModelChecked_thenFaultFound() {
        assertFaultFound(PoppingWhatIsGone.class);
    }

    @Test
    void givenTwinThatReadsBottomFirst_whenModelChecked_thenFaultFound() {
        assertFaultFound(ReadingBottomFirst.class);
    }

    private static void assertFaultFound(Class<? extends Calls> twin) {
        assertThatThrownBy(() ->
                        modelChecking(20, 500).minimizeFailedScenario(false).check(twin))
                .as("a test that misses this fault is no test of the production class")
                .isInstanceOf(LincheckAssertionError.class);
    }

    private static ModelCheckingOptions modelChecking(int iterations, int invocations) {
        return new ModelCheckingOptions()
                .iterations(iterations)
                .invocationsPerIteration(invocations)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(3)
                .checkObstructionFreedom(true)
                .sequentialSpecification(Spec.class);
    }

    /** The calls, on whatever deque. Items are numbered in the order of the pushes. */
    public abstract static class Calls {
        private final DequeSubject deque;
        private int pushed;

        Calls(DequeSubject deque) {
            this.deque = deque;
            while (pushed < PUSHED_BEFORE) {
                push();
            }
        }

        @Operation(nonParallelGroup = "owner")
        public boolean push() {
            return deque.push(new Item(++pushed));
        }

        @Operation(nonParallelGroup = "owner")
        public int pop() {
            return number(deque.pop());
        }

        @Operation
        public int steal() {
            return number(deque.steal());
        }

        int popOldestOfSubject() {
            return number(deque.popOldest());
        }

        /** Returns the numbers of the stolen items, two digits each. */
        int stealHalfOfSubject() {
            var into = new Item[STEAL_MAX];
            int count = deque.thief().stealHalf(into);
            int numbers = 0;
            for (int i = 0; i < count; i++) {
                numbers = numbers * 100 + into[i].number();
            }
            return numbers;
        }

        private static int number(@Nullable Item item) {
            return item == null ? 0 : item.number();
        }
    }

    /**
     * The calls, and the theft of half. How many items that are is only told if no push can meet a full deque. It is half
     * of what was there when the thief looked; an owner that pops beyond the thief's reach and then asks whether the deque
     * is empty could tell that from half of what is there, so isEmpty is not among these calls.
     */
    public abstract static class CallsWithHalf extends Calls {
        CallsWithHalf(DequeSubject deque) {
            super(deque);
        }

        @Operation
        public int stealHalf() {
            return stealHalfOfSubject();
        }
    }

    /** The production class: two slots at first, at most two items for a thief, indexes and tags that go round. */
    public static final class Growing extends CallsWithHalf {
        private final WorkStealingDeque<Item> production;

        public Growing() {
            this(new WorkStealingDeque<>(2, 64, STEAL_MAX, TopWord.INDEX_MASK - 1, TopWord.TAG_MAX - 2));
        }

        private Growing(WorkStealingDeque<Item> production) {
            super(new ProductionDeque(production));
            this.production = production;
        }

        @Operation(nonParallelGroup = "owner")
        public int popOldest() {
            return popOldestOfSubject();
        }

        @Validate
        public void nothingTakenIsReachable() {
            if (Queues.reachableFrom(production).size() != production.size()) {
                throw new IllegalStateException(production + " keeps " + Queues.reachableFrom(production));
            }
        }
    }

    /** The production class at its limit of two items. */
    public static final class Limited extends Calls {
        public Limited() {
            super(new ProductionDeque(
                    new WorkStealingDeque<>(1, CAPACITY, STEAL_MAX, TopWord.INDEX_MASK, TopWord.TAG_MAX)));
        }

        @Operation(nonParallelGroup = "owner")
        public int popOldest() {
            return popOldestOfSubject();
        }
    }

    public static final class Faultless extends CallsWithHalf {
        public Faultless() {
            super(new FaultyDeque(Fault.NONE, 64));
        }
    }

    public static final class PoppingWithoutCas extends CallsWithHalf {
        public PoppingWithoutCas() {
            super(new FaultyDeque(Fault.POPS_WITHOUT_CAS, 64));
        }
    }

    public static final class KeepingTag extends CallsWithHalf {
        public KeepingTag() {
            super(new FaultyDeque(Fault.KEEPS_TAG, 64));
        }
    }

    public static final class PoppingWhatIsGone extends CallsWithHalf {
        public PoppingWhatIsGone() {
            super(new FaultyDeque(Fault.POPS_WHAT_IS_GONE, 64));
        }
    }

    public static final class ReadingBottomFirst extends CallsWithHalf {
        public ReadingBottomFirst() {
            super(new FaultyDeque(Fault.READS_BOTTOM_BEFORE_TOP, 64));
        }
    }

    /** What the calls must seem to do. */
    public static class Spec {
        private final int capacity;
        private final ArrayDeque<Integer> items = new ArrayDeque<>();
        private int pushed;

        public Spec() {
            this(Integer.MAX_VALUE);
        }

        Spec(int capacity) {
            this.capacity = capacity;
            while (pushed < PUSHED_BEFORE) {
                push();
            }
        }

        public final boolean push() {
            pushed++;
            return items.size() < capacity && items.add(pushed);
        }

        public final int pop() {
            return items.isEmpty() ? 0 : items.removeLast();
        }

        public final int popOldest() {
            return steal();
        }

        public final int steal() {
            return items.isEmpty() ? 0 : items.removeFirst();
        }

        public final int stealHalf() {
            int numbers = 0;
            for (int left = Math.min((items.size() + 1) / 2, STEAL_MAX); left > 0; left--) {
                numbers = numbers * 100 + items.removeFirst();
            }
            return numbers;
        }
    }

    /** The same, with a limit. */
    public static final class LimitedSpec extends Spec {
        public LimitedSpec() {
            super(CAPACITY);
        }
    }
}
