// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.fj;

import dev.treadle.benchmarks.Fairness;
import dev.treadle.benchmarks.Peer;
import dev.treadle.benchmarks.RollCall;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Wakes;
import java.util.concurrent.ForkJoinPool;

/** Processes that wait: idle-memory, wake-latency, fairness. */
final class Waiting {
    private static final Object WORK = "work";

    private Waiting() {}

    static Peer.Crowd crowd(ForkJoinPool pool, int count) throws InterruptedException {
        var roll = new RollCall(count);
        var crowd = new Idler[count];
        for (int i = 0; i < count; i++) {
            crowd[i] = new Idler(pool, roll);
            crowd[i].send(WORK);
        }
        roll.check();
        return () -> {
            roll.again();
            for (Idler idler : crowd) {
                idler.send(WORK);
            }
            roll.check();
        };
    }

    static Runnable sleeper(ForkJoinPool pool, Wakes wakes) {
        var sleeper = new Actor(pool) {
            @Override
            void receive(Object message) {
                wakes.turn();
            }
        };
        return () -> sleeper.send(WORK);
    }

    static Runnable fairness(ForkJoinPool pool, Fairness fairness) {
        var crowd = new Actor[fairness.crowd()];
        for (int i = 0; i < crowd.length; i++) {
            crowd[i] = new Actor(pool) {
                @Override
                void receive(Object message) {
                    fairness.ran();
                }
            };
        }
        for (int i = 0; i < Shape.HOGS; i++) {
            new Hog(pool, fairness).send(WORK);
        }
        return () -> {
            for (Actor actor : crowd) {
                actor.send(WORK);
            }
        };
    }

    private static final class Idler extends Actor {
        private final RollCall roll;

        Idler(ForkJoinPool pool, RollCall roll) {
            super(pool);
            this.roll = roll;
        }

        @Override
        void receive(Object message) {
            roll.here();
        }
    }

    private static final class Hog extends Actor {
        private final Fairness fairness;
        private boolean started;

        Hog(ForkJoinPool pool, Fairness fairness) {
            super(pool);
            this.fairness = fairness;
        }

        @Override
        void receive(Object message) {
            if (!started) {
                started = true;
                fairness.hogStarted();
            }
            if (fairness.hogTurn()) {
                yieldTurn(message);
            }
        }
    }
}
