// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.verification.Twin;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A worker ends one turn and begins the next, while the watchdog looks which process it runs: turn, process, turn.
 *
 * <p>Result: 0 if the two looks at the turn differ or nothing runs, 1 if the process is that of the turn, 9 if it is another
 * one's. Covers the releases and acquires of {@code turn} and {@code running}.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "nothing to be said")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the process of that turn")
@Outcome(expect = Expect.FORBIDDEN, desc = "a process is taken for another turn's, and would be reported as slow")
@State
public class RunningStress {
    private final Turns turns = Twin.WORKER_NAMES_PROCESS_FIRST.isChosen() ? new TwinTurns() : new Production();
    private final ProcessCell first = Cells.make();
    private final ProcessCell second = Cells.make();

    public RunningStress() {
        turns.begin(first);
    }

    @Actor
    public void worker() {
        turns.end();
        turns.begin(second);
    }

    @Actor
    public void watchdog(I_Result result) {
        long turn = turns.turn();
        ProcessCell running = turns.running();
        if (running == null || turn != turns.turn()) {
            result.r1 = 0;
        } else {
            result.r1 = running == (turn == 1 ? first : second) ? 1 : 9;
        }
    }

    private interface Turns {
        void begin(ProcessCell cell);

        void end();

        long turn();

        @Nullable
        ProcessCell running();
    }

    private static final class Production implements Turns {
        private final Worker worker = new Worker(0, Cells.SCHEDULER, Cells.SCHEDULER.group, new ThreadParker());

        @Override
        public void begin(ProcessCell cell) {
            worker.begin(cell);
        }

        @Override
        public void end() {
            worker.end();
        }

        @Override
        public long turn() {
            return worker.turnAcquire();
        }

        @Override
        public @Nullable ProcessCell running() {
            return worker.runningAcquire();
        }
    }

    private static final class TwinTurns implements Turns {
        private volatile long turn;
        private volatile @Nullable ProcessCell running;
        private long turns;

        @Override
        public void begin(ProcessCell cell) {
            running = cell;
            turn = ++turns;
        }

        @Override
        public void end() {
            running = null;
        }

        @Override
        public long turn() {
            return turn;
        }

        @Override
        public @Nullable ProcessCell running() {
            return running;
        }
    }
}
