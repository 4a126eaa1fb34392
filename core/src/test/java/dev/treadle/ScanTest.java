// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.treadle.WorkerInfo.Activity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What observers use: scan(), workers() and quickStats(). */
class ScanTest {
    private final ManualTime time = new ManualTime();

    @Nested
    class GivenProcesses {
        private final SteppedScheduler stepped =
                Scheduler.builder().workers(2).time(time).stepped();
        private final Scheduler scheduler = stepped.scheduler();

        @Test
        void whenScanned_thenEachIsShownAsProcessesTellsIt() {
            for (int i = 0; i < 200; i++) {
                scheduler.submit(Submission.of(ProbeProcess.deaf(), "serve").attribute("tenant", "t" + i));
            }
            stepped.runOne(1);
            scheduler.send(Pid.of("main", 7), "topic", "text");
            time.advance(Duration.ofSeconds(3));
            var infos = new ArrayList<ProcessInfo>();
            var figures = new ArrayList<String>();

            scheduler.scan(view -> {
                infos.add(view.info());
                figures.add(figures(view.id(), view.state(), view.type(), view.method(), view.steps(), view.worker())
                        + figures(
                                view.queueLength(),
                                view.yieldsInFlight(),
                                view.ageNanos(),
                                view.attributes(),
                                view.parent()));
            });

            List<ProcessInfo> all = scheduler.processes().toList();
            assertThat(infos).hasSize(200).containsExactlyInAnyOrderElementsOf(all);
            assertThat(figures)
                    .as("the figures of the view are those of the record")
                    .containsExactlyInAnyOrderElementsOf(all.stream()
                            .map(info -> figures(
                                            info.pid().id(),
                                            info.state(),
                                            info.type(),
                                            info.method(),
                                            info.steps(),
                                            info.worker())
                                    + figures(
                                            info.queueLength(),
                                            info.yieldsInFlight(),
                                            info.age().toNanos(),
                                            info.attributes(),
                                            info.parent()))
                            .toList());
        }

        private String figures(Object... figures) {
            return List.of(figures).toString();
        }

        private String figures(int queue, int yields, long age, Map<String, Object> attributes, Object parent) {
            return queue + " " + yields + " " + age + " " + attributes + " " + parent;
        }

        @Test
        void whenTheScanIsOver_thenTheViewShowsNothing() {
            scheduler.submit(ProbeProcess.deaf(), "serve");
            var kept = new ProcessView[1];

            scheduler.scan(view -> kept[0] = view);

            assertThat(kept[0]).hasToString("ProcessView[nothing]");
            assertThatThrownBy(kept[0]::id)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("inside of scan()");
        }

        @Test
        void whenQuickStatsAreAsked_thenAllButTheStatesIsThere() {
            scheduler.submit(ProbeProcess.deaf(), "serve");
            stepped.runAll();
            SchedulerStats stats = scheduler.stats();

            SchedulerStats quick = scheduler.quickStats();

            assertThat(quick)
                    .usingRecursiveComparison()
                    .ignoringFields("processes")
                    .isEqualTo(stats);
            assertThat(quick.processes()).isEmpty();
            assertThat(quick.submitted()).isEqualTo(1);
        }

        @Test
        void whenRunByHand_thenWorkersRest() {
            assertThat(scheduler.workers())
                    .containsExactly(
                            new WorkerInfo(0, false, Activity.RESTING, null),
                            new WorkerInfo(1, false, Activity.RESTING, null));
        }
    }

    @Nested
    class GivenThreads {
        private final HeldUp held = new HeldUp();

        @Test
        void whenAStepIsHeldUp_thenItsWorkerIsSeenRunningItAndASpareOneStandsIn() {
            try (Scheduler scheduler = Scheduler.builder()
                    .workers(1)
                    .slowStepLimit(Duration.ofMillis(20))
                    .start()) {
                await().until(() -> scheduler.workers().get(0).activity() == Activity.ASLEEP);
                Pid slow = scheduler
                        .submit(Process.of((events, out) -> held.blockDeafly()), "main")
                        .pid();

                await().until(() -> scheduler.workers().size() == 2);

                assertThat(scheduler.workers().get(0)).isEqualTo(new WorkerInfo(0, false, Activity.RUNNING, slow));
                assertThat(scheduler.workers().get(1).isSpare()).isTrue();
                held.release();
            }
        }
    }

    @Test
    void whenHistogramsAreTakenApart_thenTheSumIsTheWhole() {
        long[] early = new long[DelayHistogram.BUCKETS];
        early[3] = 2;
        long[] late = early.clone();
        late[3] = 5;
        late[9] = 1;
        var earlier = new DelayHistogram(early);
        var later = new DelayHistogram(late);

        DelayHistogram since = later.since(earlier);

        assertThat(since.counts()[3]).isEqualTo(3);
        assertThat(since.counts()[9]).isEqualTo(1);
        assertThat(since.count()).isEqualTo(4);
        assertThat(since.plus(earlier).counts()).isEqualTo(late);
        assertThat(earlier.since(later).count()).as("never negative").isZero();
    }
}
