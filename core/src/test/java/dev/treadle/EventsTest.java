// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventsTest {
    /** As a worker does it: from a chain that is linked from the newest to the oldest. */
    private static void fill(EventBatch batch, Events events) {
        Event newest = null;
        for (Event event : events) {
            event.next = newest;
            newest = event;
        }
        batch.takeNewestFirst(newest, events.size());
    }

    private static Events numbered(int count) {
        var all = new Event[count];
        for (int i = 0; i < count; i++) {
            all[i] = Message.of("n", i);
        }
        return Events.of(all);
    }

    private static int number(Event event) {
        return ((Message) event).payload(int.class);
    }

    @Nested
    class GivenABatch {
        @Test
        void whenRead_thenTheEventsAreThereInOrder() {
            Event a = Message.of("a", 1);
            Event b = Completion.of(2, null, null);
            Event c = Signal.of(Signal.Kind.CANCEL, "c", null);
            Events events = Events.of(a, b, c);

            assertThat(events).containsExactly(a, b, c);
            assertThat(events.size()).isEqualTo(3);
            assertThat(events.isEmpty()).isFalse();
            assertThat(events.get(2)).isSameAs(c);
            assertThat(events).hasToString("[Message[a, java.lang.Integer 1], Completion[2, null], Signal[CANCEL, c]]");
        }

        @Test
        void whenAskedPastTheEnd_thenItIsRefused() {
            Events events = numbered(2);
            for (int index : new int[] {-1, 2, Integer.MAX_VALUE}) {
                assertThatThrownBy(() -> events.get(index))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining(String.valueOf(index));
            }
            Iterator<Event> iterator = events.iterator();
            iterator.next();
            iterator.next();
            assertThat(iterator.hasNext()).isFalse();
            assertThatThrownBy(iterator::next)
                    .isInstanceOf(NoSuchElementException.class)
                    .hasMessage("no event after 2");
            assertThatThrownBy(iterator::remove).isInstanceOf(UnsupportedOperationException.class);
        }

        @Test
        void whenItIsEmpty_thenThereIsNothingToRead() {
            Events events = Events.of();
            assertThat(events).isEmpty();
            assertThat(events.isEmpty()).isTrue();
            assertThatThrownBy(() -> events.get(0)).isInstanceOf(IndexOutOfBoundsException.class);
        }

        @Test
        void whenItIsOfAFirstStep_thenItSaysSo() {
            assertThat(Events.ofFirst().isFirst()).isTrue();
            assertThat(Events.ofFirst(Message.of("a", 1)).isFirst()).isTrue();
            assertThat(Events.ofFirst(Message.of("a", 1))).hasSize(1);
            assertThat(Events.of(Message.of("a", 1)).isFirst()).isFalse();
        }

        @Test
        void whenAnEventIsNull_thenItIsRefused() {
            assertThatNullPointerException()
                    .isThrownBy(() -> Events.of(Message.of("a", 1), null))
                    .withMessage("an event is null: leave it out");
        }
    }

    /** Loops in loops, as a process that matches events with each other writes them. */
    @Nested
    class GivenNestedLoops {
        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3, 10})
        void whenBothRunToTheEnd_thenEachSeesAll(int count) {
            Events events = numbered(count);
            var pairs = new ArrayList<Integer>();
            for (Event outer : events) {
                for (Event inner : events) {
                    pairs.add(number(outer) * 100 + number(inner));
                }
            }
            assertThat(pairs).isEqualTo(allPairs(count, count));
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3, 10})
        void whenThreeAreNested_thenEachSeesAll(int count) {
            Events events = numbered(count);
            int seen = 0;
            for (Event first : events) {
                for (Event second : events) {
                    for (Event third : events) {
                        seen += number(first) >= 0 && number(second) >= 0 && number(third) >= 0 ? 1 : 0;
                    }
                }
            }
            assertThat(seen).isEqualTo(count * count * count);
        }

        /** The inner loop stops early, also while the outer one is at its last event. */
        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3, 10})
        void whenTheInnerOneBreaksOff_thenTheOuterOneGoesOnWhereItWas(int count) {
            Events events = numbered(count);
            for (int innerTurns = 0; innerTurns <= count; innerTurns++) {
                var outers = new ArrayList<Integer>();
                var pairs = new ArrayList<Integer>();
                for (Event outer : events) {
                    outers.add(number(outer));
                    assertThat(outers).as("no event comes twice").doesNotHaveDuplicates();
                    Iterator<Event> inner = events.iterator();
                    for (int i = 0; i < innerTurns; i++) {
                        pairs.add(number(outer) * 100 + number(inner.next()));
                    }
                }
                assertThat(outers).hasSize(count);
                assertThat(pairs).isEqualTo(allPairs(count, innerTurns));
            }
        }

        @Test
        void whenALoopBreaksOff_thenTheNextOneBeginsAtTheStart() {
            Events events = numbered(3);
            for (int i = 0; i < 3; i++) {
                for (Event event : events) {
                    assertThat(number(event)).isZero();
                    break;
                }
            }
            assertThat(events).hasSize(3);
        }

        private static List<Integer> allPairs(int outer, int inner) {
            var pairs = new ArrayList<Integer>();
            for (int i = 0; i < outer; i++) {
                for (int j = 0; j < inner; j++) {
                    pairs.add(i * 100 + j);
                }
            }
            return pairs;
        }
    }

    /** The batch of a worker, which is used again for each step. */
    @Nested
    class GivenABatchThatIsUsedAgain {
        @Test
        void whenCleared_thenNothingOfTheStepBeforeIsLeft() {
            var events = new EventBatch(64);
            for (int round = 0; round < 3; round++) {
                fill(events, numbered(4 - round));
                int expected = 0;
                for (Event event : events) {
                    assertThat(number(event)).isEqualTo(expected++);
                    if (round == 1) {
                        break; // leaves the iterator in the middle
                    }
                }
                events.clear();
                assertThat(events).isEmpty();
                assertThat(events).hasToString("[]");
            }
        }

        @Test
        void whenAStepKeepsItsEvents_thenTheyStayAsTheyWere() {
            var kept = new ArrayList<Event>();
            try (SteppedScheduler stepped = Scheduler.builder().workers(1).stepped()) {
                ProcessRef ref =
                        stepped.scheduler().submit(Process.of((events, out) -> events.forEach(kept::add)), "main");
                for (int i = 0; i < 3; i++) {
                    ref.send("n", i);
                    stepped.runAll();
                }
                assertThat(kept).extracting(EventsTest::number).containsExactly(0, 1, 2);
            }
        }

        @Test
        void whenOneLoopIsLeftInTheMiddle_thenTheNextStepReadsAllOfItsOwn() {
            var sizes = new ArrayList<Integer>();
            try (SteppedScheduler stepped = Scheduler.builder().workers(1).stepped()) {
                ProcessRef ref = stepped.scheduler()
                        .submit(
                                Process.of((events, out) -> {
                                    int read = 0;
                                    for (Event event : events) {
                                        read += event instanceof Message ? 1 : 0;
                                    }
                                    sizes.add(read);
                                    for (Event event : events) {
                                        if (event instanceof Message) {
                                            break;
                                        }
                                    }
                                }),
                                "main");
                for (int i = 1; i <= 3; i++) {
                    for (int j = 0; j < i; j++) {
                        ref.send("n", j);
                    }
                    stepped.runAll();
                }
                assertThat(sizes).containsExactly(1, 2, 3);
            }
        }
    }

    @Nested
    class GivenAWorker {
        private final EventBatch events = new EventBatch(64);
        private final Message first = Message.of("a", 1);
        private final Message second = Message.of("b", 2);
        private final Message third = Message.of("c", 3);

        @BeforeEach
        void fill() {
            EventsTest.fill(events, Events.of(first, second, third));
        }

        @Test
        void whenTheStepGoesOn_thenItIsKnownWhereItIs() {
            assertThat(events.current()).isNull();
            assertThat(events.seen()).isZero();
            events.get(1);
            assertThat(events.current()).isSameAs(second);
            assertThat(events.seen()).isEqualTo(2);
        }

        @Test
        void whenSomeAreDropped_thenTheRestStaysAndNothingElseIsKept() {
            events.keep(0, first);
            events.shrink(1);
            assertThat(events).containsExactly(first).hasSize(events.size());
            assertThat(HeapWalk.find(events, object -> object == second || object == third))
                    .isEmpty();
        }

        @Test
        void whenTheFirstIsDropped_thenTheRestStaysInOrder() {
            events.keep(0, second);
            events.keep(1, third);
            events.shrink(2);
            assertThat(events).containsExactly(second, third).hasSize(events.size());
            assertThat(events.get(0)).isSameAs(second);
            assertThat(HeapWalk.find(events, object -> object == first)).isEmpty();
        }

        @Test
        void whenReadByIndexInAnyOrder_thenEachIsWhereItBelongs() {
            assertThat(List.of(events.get(2), events.get(0), events.get(1), events.get(1), events.get(2)))
                    .containsExactly(third, first, second, second, third);
        }

        @Test
        void whenTheyAreHandedOut_thenNoEventKeepsAnother() {
            assertThat(List.of(first, second, third))
                    .extracting(event -> event.next)
                    .containsOnlyNulls();
            events.clear();
            events.forget();
            assertThat(HeapWalk.find(events, object -> object instanceof Message))
                    .isEmpty();
        }

        @Test
        void whenTheyAreForgotten_thenNoneIsKeptAndNothingIsKnownOfThem() {
            events.markPlain();
            events.get(2);
            events.clear();
            assertThat(events.isEmpty()).isTrue();
            assertThat(events.isPlain()).isFalse();
            assertThat(events.current()).isNull();
            assertThat(events.messages()).isZero();
            events.forget();
            assertThat(HeapWalk.find(events, object -> object instanceof Message))
                    .isEmpty();
        }

        @Test
        void whenTheOnlyOneIsForgotten_thenItIsNotKept() {
            events.clear();
            events.takeOnly(first);
            events.clear();
            events.forget();
            assertThat(HeapWalk.find(events, object -> object instanceof Message))
                    .isEmpty();
        }
    }
}
