// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * S4: processes that stay ready are shared between workers, and only if that helps: each that goes from one worker to another
 * has to be fetched from the other processor's caches. Two workers are run by hand in turn, so all is exact.
 */
class SharingTest {
    private static final int WORKERS = 2;

    /** Enough turns of each worker for a hundred times that it looks whether others have fewer. */
    private static final int TURNS = 100 * WorkerQueues.SHARE_LOOKS * WorkerQueues.LOOK_TURNS;

    private final ManualTime time = new ManualTime();
    private final List<Resident> residents = new ArrayList<>();

    /** Whose turn it is. */
    private int worker;

    /** How many turns were of a process whose last one was on the other worker. */
    private int moves;

    private Duration stepTime = Duration.ZERO;

    @Test
    void whenBothWorkersHaveAsMany_thenNoneMoves() {
        try (SteppedScheduler scheduler = stepped()) {
            settle(scheduler, 0, 40);
            settle(scheduler, 1, 40);

            runTurns(scheduler);

            assertThat(moves).isZero();
        }
    }

    @Test
    void whenOneHasSlightlyMore_thenNoneMoves() {
        try (SteppedScheduler scheduler = stepped()) {
            settle(scheduler, 0, 40 + 40 / WorkerQueues.SHARE_PART);
            settle(scheduler, 1, 40);

            runTurns(scheduler);

            assertThat(moves).isZero();
        }
    }

    @Test
    void whenOneHasFarMore_thenTheyAreSharedAndStay() {
        try (SteppedScheduler scheduler = stepped()) {
            settle(scheduler, 0, 70);
            settle(scheduler, 1, 10);

            runTurns(scheduler);

            assertThat(at(1)).as("at the one that had few").isBetween(30, 50);
            int movesUntilShared = moves;
            assertThat(movesUntilShared)
                    .as("each that moved did so once or twice")
                    .isLessThanOrEqualTo(2 * 40);
            runTurns(scheduler);
            assertThat(moves).as("when they are shared").isEqualTo(movesUntilShared);
        }
    }

    /** To fetch one is nothing beside its turn, and so all of them mix. */
    @Test
    void whenTurnsAreLong_thenTheyMoveAlsoBetweenEquals() {
        try (SteppedScheduler scheduler = stepped()) {
            settle(scheduler, 0, 40);
            settle(scheduler, 1, 40);
            stepTime = Duration.ofNanos(WorkerQueues.LOOK_NANOS);

            runTurns(scheduler);

            assertThat(moves).isGreaterThan(100);
        }
    }

    private SteppedScheduler stepped() {
        return Scheduler.builder().workers(WORKERS).time(time).seed(7).stepped();
    }

    /** Starts so many, each of which has its first turn on that worker, and stays ready behind others there. */
    private void settle(SteppedScheduler scheduler, int at, int count) {
        int before = residents.size();
        for (int i = 0; i < count; i++) {
            var resident = new Resident();
            residents.add(resident);
            scheduler.scheduler().submit(resident, "main");
        }
        worker = at;
        for (int turns = 0; residents.subList(before, residents.size()).stream().anyMatch(r -> r.at < 0); turns++) {
            assertThat(turns).as("turns until all are settled").isLessThan(1_000);
            assertThat(scheduler.runOne(at)).isTrue();
        }
        assertThat(at(at)).isEqualTo(count);
        moves = 0;
    }

    private void runTurns(SteppedScheduler scheduler) {
        for (int turn = 0; turn < WORKERS * TURNS; turn++) {
            worker = turn % WORKERS;
            assertThat(scheduler.runOne(worker)).isTrue();
        }
    }

    private int at(int which) {
        return (int) residents.stream().filter(resident -> resident.at == which).count();
    }

    /** Stays ready for ever, and sees at which worker it is. */
    private final class Resident implements Process {
        private int at = -1;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            moves += at >= 0 && at != worker ? 1 : 0;
            at = worker;
            time.advance(stepTime);
            out.again();
        }
    }
}
