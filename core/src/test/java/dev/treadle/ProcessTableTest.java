// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.ProcessTable.Add;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The table of all processes by id: alone, and with several threads at once. */
class ProcessTableTest {
    /** Ids that differ by this share a part of the table, so that one part grows and shrinks. */
    private static final long SAME_PART = 64 * 64;

    private final Scheduler scheduler = Scheduler.builder().workers(1).stepped().scheduler();
    private final ProcessTable table = new ProcessTable(0);

    private ProcessCell cell(long id) {
        return new ProcessCell(scheduler, id, Submission.of(ProbeProcess.deaf(), "main"), null, 0);
    }

    private ProcessCell add(long id) {
        ProcessCell cell = cell(id);
        assertThat(table.add(cell)).isEqualTo(Add.ADDED);
        return cell;
    }

    private Set<ProcessCell> all() {
        var all = new HashSet<ProcessCell>();
        for (int part = 0; part < table.parts(); part++) {
            for (ProcessCell cell : table.part(part)) {
                assertThat(all.add(cell)).as("%s is there twice", cell).isTrue();
            }
        }
        return all;
    }

    @Nested
    class GivenOneThread {
        @Test
        void whenACellIsAdded_thenItIsFoundUntilItIsRemoved() {
            ProcessCell cell = add(7);

            assertThat(table.find(7)).isSameAs(cell);
            assertThat(table.find(8)).isNull();
            assertThat(table.size()).isEqualTo(1);
            assertThat(all()).containsExactly(cell);
            assertThat(table.remove(cell)).isTrue();
            assertThat(table.find(7)).isNull();
            assertThat(table.size()).isZero();
            assertThat(all()).isEmpty();
        }

        @Test
        void whenChosenIdsAreMultiplesOfOneNumber_thenTheyAreSpreadOverAllParts() {
            int count = 64 * 25;
            for (long multiplicand : new long[] {1, 64, 64 * 64, 1_000_000, 1L << 40}) {
                for (int i = 1; i <= count; i++) {
                    long id = Submission.CHOSEN_ID_MIN + i * multiplicand;
                    if (table.find(id) == null) {
                        add(id);
                    }
                }
            }
            for (int part = 0; part < table.parts(); part++) {
                assertThat(table.part(part)).as("part %d", part).hasSizeBetween(60, 250);
            }
        }

        @Test
        void whenItIsRemovedTwice_thenOnlyOneOfThemRemovesIt() {
            ProcessCell cell = add(7);

            assertThat(table.remove(cell)).isTrue();
            assertThat(table.remove(cell)).isFalse();
            assertThat(table.size()).isZero();
        }

        @Test
        void whenAnotherHasItsId_thenItIsRefusedAndTheFirstStays() {
            long id = Submission.CHOSEN_ID_MIN + 7; // the others are dealt out once
            ProcessCell first = add(id);
            ProcessCell second = cell(id);

            assertThat(table.add(second)).isEqualTo(Add.DUPLICATE);
            assertThat(table.find(id)).isSameAs(first);
            assertThat(table.size()).isEqualTo(1);
            assertThat(table.remove(second)).as("it never was there").isFalse();
            assertThat(table.find(id)).isSameAs(first);
        }

        @Test
        void whenIdsAreChosenByTheUser_thenTheyAreFoundAmongTheOthers() {
            long[] ids = {
                1,
                SAME_PART,
                SAME_PART + 1,
                Submission.CHOSEN_ID_MIN,
                Submission.CHOSEN_ID_MIN + 1,
                Submission.CHOSEN_ID_MIN + SAME_PART,
                (1L << 40) + 1,
                (1L << 62) + 1,
                Long.MAX_VALUE - 1,
                Long.MAX_VALUE
            };
            for (long id : ids) {
                add(id);
            }

            assertThat(table.size()).isEqualTo(ids.length);
            for (long id : ids) {
                assertThat(table.find(id)).as("id %d", id).isNotNull();
                assertThat(table.find(id).id).isEqualTo(id);
                if (id >= Submission.CHOSEN_ID_MIN) {
                    assertThat(table.add(cell(id))).as("id %d", id).isEqualTo(Add.DUPLICATE);
                }
            }
        }

        @Test
        void whenOnePartGrowsAndShrinks_thenNothingIsLost() {
            Map<Long, ProcessCell> model = new HashMap<>();
            for (long id = SAME_PART; id <= 5_000 * SAME_PART; id += SAME_PART) {
                model.put(id, add(id));
            }
            assertThat(table.size()).isEqualTo(5_000);
            assertThat(all()).isEqualTo(new HashSet<>(model.values()));
            model.forEach((id, cell) -> assertThat(table.find(id)).isSameAs(cell));

            for (long id = SAME_PART; id <= 4_990 * SAME_PART; id += SAME_PART) {
                assertThat(table.remove(model.remove(id))).isTrue();
                assertThat(table.find(id)).isNull();
            }
            assertThat(all()).isEqualTo(new HashSet<>(model.values()));
            model.forEach((id, cell) -> assertThat(table.find(id)).isSameAs(cell));
            assertThat(table.size()).isEqualTo(10);
        }

        @Test
        void whenAllIsDoneAtRandom_thenItDoesAsAMapDoes() {
            long seed = System.nanoTime();
            var random = new SplittableRandom(seed);
            Map<Long, ProcessCell> model = new HashMap<>();
            for (int i = 0; i < 50_000; i++) {
                long id = Submission.CHOSEN_ID_MIN + random.nextInt(700) * (random.nextBoolean() ? SAME_PART : 1);
                ProcessCell known = model.get(id);
                switch (random.nextInt(3)) {
                    case 0 -> {
                        ProcessCell cell = cell(id);
                        assertThat(table.add(cell))
                                .as("seed %d", seed)
                                .isEqualTo(known == null ? Add.ADDED : Add.DUPLICATE);
                        model.putIfAbsent(id, cell);
                    }
                    case 1 -> {
                        if (known != null) {
                            assertThat(table.remove(known)).as("seed %d", seed).isTrue();
                            model.remove(id);
                        }
                    }
                    default -> assertThat(table.find(id)).as("seed %d", seed).isSameAs(known);
                }
            }
            assertThat(table.size()).isEqualTo(model.size());
            assertThat(all()).isEqualTo(new HashSet<>(model.values()));
        }

        @Test
        void whenItIsClosed_thenItTakesNoMoreAndStillGivesWhatItHas() {
            ProcessCell cell = add(7);

            table.close();

            assertThat(table.add(cell(8))).isEqualTo(Add.CLOSED);
            assertThat(table.find(7)).isSameAs(cell);
            assertThat(table.remove(cell)).isTrue();
        }

        @Test
        void whenItIsCleared_thenItIsEmpty() {
            for (long id = 1; id <= 1_000; id++) {
                add(id);
            }

            table.clear();

            assertThat(table.size()).isZero();
            assertThat(all()).isEmpty();
            assertThat(table.find(500)).isNull();
            assertThat(HeapWalk.find(table, object -> object instanceof ProcessCell))
                    .isEmpty();
        }

        @Test
        void s7_whenPlacesAreLimited_thenExactlySoManyAreGiven() {
            var limited = new ProcessTable(3);

            assertThat(List.of(limited.reserve(), limited.reserve(), limited.reserve()))
                    .containsOnly(true);
            assertThat(limited.reserve()).as("one past the limit").isFalse();
            limited.unreserve();
            assertThat(limited.reserve()).isTrue();
            assertThat(limited.reserve()).isFalse();
        }

        @Test
        void s7_whenPlacesAreNotLimited_thenThereIsAlwaysOne() {
            for (int i = 0; i < 1_000; i++) {
                assertThat(table.reserve()).isTrue();
            }
        }
    }

    @Nested
    class GivenSeveralThreads {
        /** A look-up without the lock may be led astray by a cell that moves; it must not give up then. */
        @Test
        void whenAPartGrowsAndShrinksMeanwhile_thenWhatIsThereIsAlwaysFound() throws Exception {
            Map<Long, ProcessCell> lasting = new HashMap<>();
            for (long id = SAME_PART; id <= 20 * SAME_PART; id += SAME_PART) {
                lasting.put(id, add(id));
            }
            List<ProcessCell> passing = LongStream.rangeClosed(21, 600)
                    .mapToObj(n -> cell(n * SAME_PART))
                    .toList();
            var stopped = new AtomicInteger();
            var looks = new AtomicInteger();

            runTogether(
                    () -> {
                        for (int round = 0; round < 100 || looks.get() < 2_000; round++) {
                            passing.forEach(cell -> assertThat(table.add(cell)).isEqualTo(Add.ADDED));
                            passing.forEach(
                                    cell -> assertThat(table.remove(cell)).isTrue());
                        }
                        stopped.set(1);
                    },
                    () -> {
                        while (stopped.get() == 0) {
                            lasting.forEach(
                                    (id, cell) -> assertThat(table.find(id)).isSameAs(cell));
                            looks.incrementAndGet();
                        }
                    },
                    () -> {
                        while (stopped.get() == 0) {
                            assertThat(table.part(0)).containsAll(lasting.values());
                        }
                    });

            assertThat(all()).isEqualTo(new HashSet<>(lasting.values()));
        }

        @Test
        void whenSeveralAddOrRemoveTheSame_thenOneOfThemDoes() throws Exception {
            for (int i = 0; i < 300; i++) {
                long same = Submission.CHOSEN_ID_MIN + i;
                var added = new AtomicInteger();
                var removed = new AtomicInteger();
                ThrowingRunnable adding = () -> added.addAndGet(table.add(cell(same)) == Add.ADDED ? 1 : 0);
                runTogether(adding, adding);
                assertThat(added).hasValue(1);

                ProcessCell cell = table.find(same);
                ThrowingRunnable removing = () -> removed.addAndGet(table.remove(cell) ? 1 : 0);
                runTogether(removing, removing);
                assertThat(removed).hasValue(1);
            }
        }

        /** Whoever walks the table after close() has returned sees all that was added, and nothing is added later. */
        @Test
        void whenItIsClosedMeanwhile_thenAllThatWasAddedIsSeenAfterwards() throws Exception {
            for (int round = 0; round < 100; round++) {
                var contested = new ProcessTable(0);
                Set<ProcessCell> added = new HashSet<>();
                Set<ProcessCell> seen = new HashSet<>();

                runTogether(
                        () -> {
                            for (long id = 1; id <= 5_000; id++) {
                                ProcessCell cell = cell(id);
                                if (contested.add(cell) != Add.ADDED) {
                                    return;
                                }
                                added.add(cell);
                            }
                        },
                        () -> {
                            contested.close();
                            for (int part = 0; part < contested.parts(); part++) {
                                seen.addAll(contested.part(part));
                            }
                        });

                assertThat(seen).isEqualTo(added);
            }
        }

        @Test
        void s7_whenSeveralWantTheLastPlaces_thenExactlySoManyAreGiven() throws Exception {
            for (int round = 0; round < 200; round++) {
                var limited = new ProcessTable(100);
                var given = new AtomicInteger();
                ThrowingRunnable reserving = () -> {
                    for (int i = 0; i < 80; i++) {
                        given.addAndGet(limited.reserve() ? 1 : 0);
                        if (i % 10 == 0) {
                            limited.unreserve();
                            given.decrementAndGet();
                        }
                    }
                };

                runTogether(reserving, reserving);

                assertThat(given).hasValueLessThanOrEqualTo(100);
                int left = 0;
                while (limited.reserve()) {
                    left++;
                }
                assertThat(given.get() + left).isEqualTo(100);
            }
        }
    }

    private interface ThrowingRunnable {
        void run() throws Exception;
    }

    /** Runs all at the same time, and throws what one of them throws. */
    private static void runTogether(ThrowingRunnable... all) throws Exception {
        var barrier = new CyclicBarrier(all.length);
        List<Throwable> thrown = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (ThrowingRunnable each : all) {
            var thread = new Thread(() -> {
                try {
                    barrier.await();
                    each.run();
                } catch (Throwable t) {
                    synchronized (thrown) {
                        thrown.add(t);
                    }
                }
            });
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join(60_000);
            synchronized (thrown) {
                assertThat(thrown).isEmpty();
            }
            assertThat(thread.isAlive()).as("a thread that does not end").isFalse();
        }
    }
}
