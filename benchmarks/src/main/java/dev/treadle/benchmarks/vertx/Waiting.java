// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.vertx;

import dev.treadle.benchmarks.Fairness;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Wakes;
import io.vertx.core.Context;

/** Processes that wait: wake-latency, fairness. */
final class Waiting {
    private static final Object WORK = "work";

    private Waiting() {}

    static Runnable sleeper(EventLoops loops, Wakes wakes) {
        var sleeper = new Actor(loops.of(0)) {
            @Override
            void receive(Object message) {
                wakes.turn();
            }
        };
        return () -> sleeper.send(WORK);
    }

    static Runnable fairness(EventLoops loops, Fairness fairness) {
        var crowd = new Actor[fairness.crowd()];
        for (int i = 0; i < crowd.length; i++) {
            crowd[i] = new Actor(loops.of(i)) {
                @Override
                void receive(Object message) {
                    fairness.ran();
                }
            };
        }
        for (int i = 0; i < Shape.HOGS; i++) {
            new Hog(loops.of(i), fairness).send(WORK);
        }
        return () -> {
            for (Actor actor : crowd) {
                actor.send(WORK);
            }
        };
    }

    private static final class Hog extends Actor {
        private final Fairness fairness;
        private boolean started;

        Hog(Context context, Fairness fairness) {
            super(context);
            this.fairness = fairness;
        }

        @Override
        void receive(Object message) {
            if (!started) {
                started = true;
                fairness.hogStarted();
            }
            if (fairness.hogTurn()) {
                send(message);
            }
        }
    }
}
