// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkStealingDequeTest {
    private final WorkStealingDeque<Item> mine = new WorkStealingDeque<>();

    @Nested
    class GivenEmptyDeque {
        private final WorkStealingDeque<Item> deque = new WorkStealingDeque<>();

        @Test
        void whenAskedForItems_thenThereAreNone() {
            assertThat(deque.pop()).isNull();
            assertThat(deque.steal()).isNull();
            assertThat(deque.stealHalfInto(mine)).isNull();
            assertThat(mine.transferred()).isZero();
            assertThat(deque.isEmpty()).isTrue();
            assertThat(deque.size()).isZero();
        }

        @Test
        void whenPoppedManyTimes_thenNothingChanges() {
            String before = deque.toString();

            for (int i = 0; i < 10; i++) {
                deque.pop();
            }

            assertThat(deque).as("no store, no CAS").hasToString(before);
        }

        @Test
        void whenNullIsPushed_thenRefused() {
            assertThatThrownBy(() -> deque.push(null)).isInstanceOf(NullPointerException.class);
            assertThat(deque.isEmpty()).isTrue();
        }
    }

    @Nested
    class GivenTenItems {
        private final WorkStealingDeque<Item> deque = filled(new WorkStealingDeque<>(), 10);

        @Test
        void whenOwnerPops_thenNewestFirst() {
            assertThat(popAll(deque)).containsExactly(9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
            assertThat(deque.isEmpty()).isTrue();
        }

        @Test
        void whenThiefSteals_thenOldestFirst() {
            assertThat(stealAll(deque)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
            assertThat(deque.isEmpty()).isTrue();
        }

        @Test
        void whenThiefStealsHalf_thenItGetsTheOlderHalfOldestFirst() {
            assertThat(stealHalf(deque, mine)).containsExactly(0, 1, 2, 3, 4);
            assertThat(deque.size()).isEqualTo(5);
            assertThat(popAll(deque)).containsExactly(9, 8, 7, 6, 5);
        }

        @Test
        void whenThiefHasItemsOfItsOwn_thenStolenOnesComeFirst() {
            mine.push(new Item(100));

            assertThat(stealHalf(deque, mine)).containsExactly(0, 1, 2, 3, 4, 100);
        }

        @Test
        void whenTakenFromBothEnds_thenEachItemOnce() {
            assertThat(deque.pop().number()).isEqualTo(9);
            assertThat(deque.steal().number()).isZero();
            assertThat(deque.pop().number()).isEqualTo(8);
            assertThat(deque.steal().number()).isEqualTo(1);
            assertThat(deque.size()).isEqualTo(6);
        }

        @Test
        void whenTaken_thenNoLongerReachable() {
            deque.pop();
            deque.steal();
            assertThat(Queues.reachableFrom(deque)).hasSize(8);

            stealHalf(deque, mine);
            assertThat(Queues.reachableFrom(deque)).hasSize(4);
            assertThat(Queues.reachableFrom(mine))
                    .as("scratch and slots of the thief")
                    .isEmpty();
        }

        @Test
        void whenEveryWayOfTakingIsUsed_thenTagGoesUpWithEachChangeOfTop() {
            long tag = TopWord.tag(deque.topVolatile());

            deque.pop();
            assertThat(TopWord.tag(deque.topVolatile())).isEqualTo(tag + 1);
            deque.steal();
            assertThat(TopWord.tag(deque.topVolatile())).isEqualTo(tag + 2);
            deque.stealHalfInto(mine);
            assertThat(TopWord.tag(deque.topVolatile())).isEqualTo(tag + 3);
        }
    }

    @Nested
    class GivenThiefThatMayTakeThree {
        private static final int STEAL_MAX = 3;

        @ParameterizedTest(name = "{0} items: {1} stolen")
        @CsvSource({"1, 1", "2, 1", "3, 2", "4, 2", "5, 3", "6, 3", "7, 3", "100, 3"})
        void whenHalfIsStolen_thenRoundedUpAndLimited(int count, int stolen) {
            var deque = filled(new WorkStealingDeque<>(2, 128, STEAL_MAX, 0, 0), count);

            assertThat(stealHalf(deque, mine)).hasSize(stolen);
            assertThat(mine.transferred()).isEqualTo(stolen);
            assertThat(deque.size()).isEqualTo(count - stolen);
        }

        @Test
        void whenOwnerPopsOutOfReach_thenTopWordIsLeftAlone() {
            var deque = filled(new WorkStealingDeque<>(8, 8, STEAL_MAX, 0, 0), 5);
            long word = deque.topVolatile();

            deque.pop();
            deque.pop();
            assertThat(deque.topVolatile())
                    .as("items 4 and 3 are out of a thief's reach")
                    .isEqualTo(word);

            deque.pop();
            assertThat(deque.topVolatile()).as("item 2 is not").isEqualTo(TopWord.renewed(word));
        }
    }

    @Nested
    class GivenThiefWithLittleRoom {
        private final WorkStealingDeque<Item> deque = filled(new WorkStealingDeque<>(), 10);
        private final WorkStealingDeque<Item> small = new WorkStealingDeque<>(1, 4);

        @Test
        void whenThereIsRoomForTwo_thenItTakesThree() {
            filled(small, 2);

            assertThat(deque.stealHalfInto(small).number()).as("one to run").isZero();
            assertThat(small.transferred()).isEqualTo(3);
            assertThat(small.size()).isEqualTo(4);
            assertThat(deque.size()).as("the rest stays").isEqualTo(7);
        }

        @Test
        void whenThereIsRoomForNone_thenItTakesOne() {
            filled(small, 4);

            assertThat(deque.stealHalfInto(small).number()).as("one to run").isZero();
            assertThat(small.transferred()).isEqualTo(1);
            assertThat(small.size()).isEqualTo(4);
            assertThat(deque.size()).as("the rest stays").isEqualTo(9);
        }
    }

    @Nested
    class GivenLimitOfEight {
        private final WorkStealingDeque<Item> deque = new WorkStealingDeque<>(2, 8);

        @Test
        void whenPushedToTheLimit_thenAcceptedAndOnePastItRefused() {
            for (int i = 0; i < 8; i++) {
                assertThat(deque.push(new Item(i))).as("item %d", i).isTrue();
            }

            assertThat(deque.push(new Item(8))).as("one past the limit").isFalse();
            assertThat(deque.size()).isEqualTo(8);
            assertThat(popAll(deque)).containsExactly(7, 6, 5, 4, 3, 2, 1, 0);
        }

        @Test
        void whenOneIsTakenFromFullDeque_thenOneIsAccepted() {
            filled(deque, 8);

            deque.steal();

            assertThat(deque.push(new Item(8))).isTrue();
            assertThat(deque.push(new Item(9))).isFalse();
            assertThat(stealAll(deque)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        }
    }

    @Nested
    class GivenGreatestLimit {
        @Test
        void whenPushedToTheLimit_thenAcceptedAndOnePastItRefused() {
            var deque = new WorkStealingDeque<Item>();

            filled(deque, WorkStealingDeque.CAPACITY_MAX);

            assertThat(deque.push(new Item(-1))).isFalse();
            assertThat(deque.size()).isEqualTo(WorkStealingDeque.CAPACITY_MAX);
            assertThat(deque.steal().number()).isZero();
            assertThat(deque.pop().number()).isEqualTo(WorkStealingDeque.CAPACITY_MAX - 1);
        }
    }

    @Nested
    class GivenIndexesNearTheWrap {
        @ParameterizedTest(name = "first index {0} before the wrap")
        @ValueSource(ints = {1, 2, 3, 5, 8})
        void whenGrownAcrossIt_thenOrderIsKept(int before) {
            var deque = startingAt(1 + TopWord.INDEX_MASK - before);

            filled(deque, 10);
            assertThat(deque.size()).isEqualTo(10);
            assertThat(stealHalf(deque, mine)).containsExactly(0, 1, 2);
            assertThat(deque.steal().number()).isEqualTo(3);
            assertThat(popAll(deque)).containsExactly(9, 8, 7, 6, 5, 4);
            assertThat(deque.isEmpty()).isTrue();
            assertThat(Queues.reachableFrom(deque)).isEmpty();
        }

        @Test
        void whenFullAcrossIt_thenRefused() {
            var deque = filled(startingAt(TopWord.INDEX_MASK - 3), 16);

            assertThat(deque.push(new Item(16))).isFalse();
            assertThat(deque.size()).isEqualTo(16);
        }

        @Test
        void whenUsedAsQueueForMoreThanARound_thenOrderIsKept() {
            var deque = filled(startingAt(TopWord.INDEX_MASK - 3), 3);

            for (int i = 3; i < (1 << TopWord.INDEX_BITS) + 10; i++) {
                deque.push(new Item(i));
                assertThat(deque.steal().number()).isEqualTo(i - 3);
            }
            assertThat(deque.size()).isEqualTo(3);
        }

        private WorkStealingDeque<Item> startingAt(int index) {
            return new WorkStealingDeque<>(1, 16, 3, index, TopWord.TAG_MAX - 1);
        }
    }

    @Nested
    class GivenDequeOfTwoSlots {
        @Test
        void whenItGrowsManyTimes_thenNothingIsLost() {
            var deque = new WorkStealingDeque<Item>(2, 1 << 12);
            var stolen = new ArrayList<Integer>();

            for (int i = 0; i < 4000; i++) {
                deque.push(new Item(i));
                if (i % 5 == 0) {
                    stolen.add(deque.steal().number());
                }
            }

            assertThat(stolen).containsExactlyElementsOf(range(0, 800));
            assertThat(stealAll(deque)).containsExactlyElementsOf(range(800, 4000));
            assertThat(Queues.reachableFrom(deque)).isEmpty();
        }
    }

    @Nested
    class GivenBoundOwner {
        private final WorkStealingDeque<Item> deque = new WorkStealingDeque<>();

        @Test
        void whenAnotherThreadUsesItAsOwner_thenAssertionNamesTheRemedy() {
            deque.bindOwner(new Thread(() -> {}));

            assertThatThrownBy(() -> deque.push(new Item(1)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("use the GlobalQueue");
            assertThatThrownBy(deque::pop).isInstanceOf(AssertionError.class).hasMessageContaining("use steal");
            assertThatThrownBy(() -> mine.stealHalfInto(deque))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("does not own the receiving deque");
        }

        @Test
        void whenOwnerUsesItAndOthersSteal_thenNothingIsAsserted() throws InterruptedException {
            deque.bindOwner(Thread.currentThread());
            filled(deque, 2);
            var stolen = new ArrayList<Integer>();
            var thief = new Thread(() -> stolen.add(deque.steal().number()));

            thief.start();
            thief.join();

            assertThat(stolen).containsExactly(0);
            assertThat(deque.pop().number()).isEqualTo(1);
        }

        @Test
        void whenUnbound_thenAnyThreadMayOwnIt() {
            deque.bindOwner(new Thread(() -> {}));
            deque.bindOwner(null);

            assertThat(deque.push(new Item(1))).isTrue();
        }
    }

    @Nested
    class GivenWrongSettings {
        @ParameterizedTest
        @ValueSource(ints = {-1, 0, 3, Integer.MIN_VALUE, 2 * WorkStealingDeque.CAPACITY_MAX})
        void whenLimitIsWrong_thenMessageSaysRuleAndRemedy(int capacityMax) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new WorkStealingDeque<Item>(1, capacityMax))
                    .withMessage("capacityMax was %d, must be a power of two in 1..%d: leave it out to use the greatest"
                            .formatted(capacityMax, WorkStealingDeque.CAPACITY_MAX));
        }

        @ParameterizedTest
        @ValueSource(ints = {-1, 0, 3, Integer.MIN_VALUE, 16})
        void whenFirstCapacityIsWrong_thenMessageSaysRuleAndRemedy(int capacityInitial) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new WorkStealingDeque<Item>(capacityInitial, 8))
                    .withMessage(
                            "capacityInitial was %d, must be a power of two in 1..capacityMax (8): lower it or raise"
                                            .formatted(capacityInitial)
                                    + " capacityMax");
        }

        @ParameterizedTest
        @ValueSource(ints = {0, WorkStealingDeque.TRANSFER_MAX + 1})
        void whenStealLimitIsWrong_thenMessageSaysRuleAndRemedy(int stealMax) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new WorkStealingDeque<Item>(8, 8, stealMax, 0, 0))
                    .withMessage("stealMax was %d, must be 1..%d: leave it out to use the greatest"
                            .formatted(stealMax, WorkStealingDeque.TRANSFER_MAX));
        }
    }

    private static WorkStealingDeque<Item> filled(WorkStealingDeque<Item> deque, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(deque.push(new Item(i))).isTrue();
        }
        return deque;
    }

    private static List<Integer> popAll(WorkStealingDeque<Item> deque) {
        var numbers = new ArrayList<Integer>();
        for (Item item = deque.pop(); item != null; item = deque.pop()) {
            numbers.add(item.number());
        }
        return numbers;
    }

    private static List<Integer> stealAll(WorkStealingDeque<Item> deque) {
        var numbers = new ArrayList<Integer>();
        for (Item item = deque.steal(); item != null; item = deque.steal()) {
            numbers.add(item.number());
        }
        return numbers;
    }

    /** Returns what a thief runs after it stole half: the item that it got, then all of its deque. */
    private static List<Integer> stealHalf(WorkStealingDeque<Item> deque, WorkStealingDeque<Item> mine) {
        var numbers = new ArrayList<Integer>();
        for (Item item = deque.stealHalfInto(mine); item != null; item = mine.pop()) {
            numbers.add(item.number());
        }
        return numbers;
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }
}
