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
import org.junit.jupiter.params.provider.ValueSource;

class GlobalQueueTest {
    private final WorkStealingDeque<Item> mine = new WorkStealingDeque<>();

    @Nested
    class GivenEmptyQueue {
        private final GlobalQueue<Item> queue = new GlobalQueue<>();

        @Test
        void whenAskedForItems_thenThereAreNone() {
            assertThat(queue.pop()).isNull();
            assertThat(queue.popBatchInto(mine, 16)).isNull();
            assertThat(mine.transferred()).isZero();
            assertThat(queue.isEmpty()).isTrue();
            assertThat(queue.size()).isZero();
        }

        @Test
        void whenNullIsPushed_thenRefused() {
            assertThatThrownBy(() -> queue.push(null)).isInstanceOf(NullPointerException.class);
            assertThat(queue.isEmpty()).isTrue();
        }

        @Test
        void whenEmptiedAgainAndAgain_thenItStaysUsable() {
            for (int i = 0; i < 10_000; i++) {
                queue.push(new Item(i));
                assertThat(queue.isEmpty()).isFalse();
                assertThat(queue.pop().number()).isEqualTo(i);
                assertThat(queue.pop()).isNull();
                assertThat(queue.isEmpty()).isTrue();
            }
        }
    }

    @Nested
    class GivenSegmentsOfAnyLength {
        @ParameterizedTest(name = "{0} slots")
        @ValueSource(ints = {1, 2, 3, 7, 256})
        void whenItemsFillManyOfThem_thenOldestFirst(int segmentLength) {
            var queue = filled(new GlobalQueue<>(segmentLength, 0), 1000);

            assertThat(queue.size()).isEqualTo(1000);
            assertThat(popAll(queue)).containsExactlyElementsOf(range(0, 1000));
            assertThat(queue.isEmpty()).isTrue();
            assertThat(queue.size()).isZero();
        }
    }

    @Nested
    class GivenFortyItems {
        private final GlobalQueue<Item> queue = filled(new GlobalQueue<>(4, 0), 40);

        @Test
        void whenBatchIsPopped_thenOneIsReturnedAndSixteenMoreAreTransferred() {
            Item first = queue.popBatchInto(mine, 16);

            assertThat(mine.transferred()).isEqualTo(17);
            assertThat(mine.size()).isEqualTo(16);
            assertThat(queue.size()).isEqualTo(23);
            assertThat(numbers(Queues.takeAll(first, mine)))
                    .as("pop yields them oldest first")
                    .containsExactlyElementsOf(range(0, 17));
        }

        @Test
        void whenThiefComes_thenItTakesTheNewestOfTheBatch() {
            queue.popBatchInto(mine, 3);

            assertThat(mine.steal().number()).isEqualTo(3);
        }

        @Test
        void whenBatchOfOneIsPopped_thenNothingIsTransferred() {
            assertThat(queue.popBatchInto(mine, 0).number()).isZero();
            assertThat(mine.transferred()).isEqualTo(1);
            assertThat(mine.isEmpty()).isTrue();
        }

        @Test
        void whenMoreIsAskedForThanThereIs_thenAllIsTaken() {
            queue.popBatchInto(mine, 30);
            var other = new WorkStealingDeque<Item>();

            assertThat(numbers(Queues.takeAll(queue.popBatchInto(other, 30), other)))
                    .containsExactlyElementsOf(range(31, 40));
            assertThat(queue.isEmpty()).isTrue();
        }

        @Test
        void whenDequeHasRoomForTwo_thenTheRestStays() {
            var small = new WorkStealingDeque<Item>(1, 2);

            assertThat(queue.popBatchInto(small, 16).number()).isZero();
            assertThat(small.transferred()).isEqualTo(3);
            assertThat(queue.pop().number()).as("nothing is lost").isEqualTo(3);
        }

        @Test
        void whenDequeIsFull_thenOneIsReturnedAndTheRestStays() {
            var small = new WorkStealingDeque<Item>(1, 1);
            small.push(new Item(100));

            assertThat(queue.popBatchInto(small, 16).number()).isZero();
            assertThat(small.transferred()).isEqualTo(1);
            assertThat(queue.size()).isEqualTo(39);
        }

        @Test
        void whenPopped_thenNoLongerReachable() {
            for (int i = 0; i < 6; i++) {
                queue.pop();
            }
            Queues.takeAll(queue.popBatchInto(mine, 4), mine);

            assertThat(Queues.reachableFrom(queue)).hasSize(29);
            assertThat(Queues.reachableFrom(mine)).isEmpty();
        }

        @Test
        void whenSegmentIsDone_thenItLetsGoOfItsSuccessor() {
            Object first = Queues.field(queue, "head");

            for (int i = 0; i < 5; i++) {
                queue.pop();
            }

            assertThat(Queues.field(first, "next"))
                    .as("else a dead segment in the old generation keeps the next alive")
                    .isSameAs(first);
        }

        @ParameterizedTest
        @ValueSource(ints = {-1, WorkStealingDeque.TRANSFER_MAX})
        void whenBatchIsOutOfBounds_thenMessageSaysRuleAndRemedy(int extraMax) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> queue.popBatchInto(mine, extraMax))
                    .withMessage("extraMax was %d, must be 0..%d: call again for more"
                            .formatted(extraMax, WorkStealingDeque.TRANSFER_MAX - 1));
            assertThat(queue.size()).isEqualTo(40);
        }

        @Test
        void whenGreatestBatchIsPopped_thenAllOfItIsTransferred() {
            assertThat(queue.popBatchInto(mine, WorkStealingDeque.TRANSFER_MAX - 1)
                            .number())
                    .isZero();
            assertThat(mine.transferred()).isEqualTo(WorkStealingDeque.TRANSFER_MAX);
        }
    }

    @Nested
    class GivenSegmentLengthOfZero {
        @Test
        void thenMessageSaysRuleAndRemedy() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new GlobalQueue<Item>(0, 0))
                    .withMessage("segmentLength was 0, must be 1 or more: leave it out to use the default");
        }
    }

    private static GlobalQueue<Item> filled(GlobalQueue<Item> queue, int count) {
        for (int i = 0; i < count; i++) {
            queue.push(new Item(i));
        }
        return queue;
    }

    private static List<Integer> popAll(GlobalQueue<Item> queue) {
        var numbers = new ArrayList<Integer>();
        for (Item item = queue.pop(); item != null; item = queue.pop()) {
            numbers.add(item.number());
        }
        return numbers;
    }

    private static List<Integer> numbers(List<Item> items) {
        return items.stream().map(Item::number).toList();
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }
}
