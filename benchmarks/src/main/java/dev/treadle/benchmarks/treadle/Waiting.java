// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.treadle;

import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import dev.treadle.StepOutput;
import dev.treadle.benchmarks.Fairness;
import dev.treadle.benchmarks.Peer;
import dev.treadle.benchmarks.RollCall;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Wakes;

/** Processes that wait: idle-memory, wake-latency, fairness. */
final class Waiting {
    private static final String WORK = "work";

    private Waiting() {}

    static Peer.Crowd crowd(Scheduler scheduler, int count) throws InterruptedException {
        var roll = new RollCall(count);
        for (int i = 0; i < count; i++) {
            scheduler.submit(new Idler(roll), "main").send(WORK, null);
        }
        roll.check();
        return () -> {
            roll.again();
            scheduler.processes().forEach(process -> scheduler.send(process.pid(), WORK, null));
            roll.check();
        };
    }

    static Runnable sleeper(Scheduler scheduler, Wakes wakes) {
        ProcessRef sleeper = scheduler.submit(
                Process.of((events, out) -> {
                    if (!events.isEmpty() && events.get(0) instanceof Message) {
                        wakes.turn();
                    }
                }),
                "main");
        return () -> sleeper.send(WORK, null);
    }

    static Runnable fairness(Scheduler scheduler, Fairness fairness) {
        Pid[] crowd = TreadlePeer.start(
                scheduler,
                fairness.crowd(),
                i -> Process.of((events, out) -> {
                    if (!events.isEmpty()) {
                        fairness.ran();
                        out.done();
                    }
                }));
        TreadlePeer.start(scheduler, Shape.HOGS, i -> new Hog(fairness));
        return () -> TreadlePeer.tell(scheduler, crowd, WORK);
    }

    /** Answers each message by counting it. */
    private static final class Idler implements Process {
        private final RollCall roll;

        Idler(RollCall roll) {
            this.roll = roll;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            if (!events.isEmpty()) {
                roll.here();
            }
        }
    }

    private static final class Hog implements Process {
        private final Fairness fairness;
        private boolean started;

        Hog(Fairness fairness) {
            this.fairness = fairness;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            if (!started) {
                started = true;
                fairness.hogStarted();
            }
            if (fairness.hogTurn()) {
                out.again();
            } else {
                out.done();
            }
        }
    }
}
