// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.vertx;

import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Sleeps;
import dev.treadle.benchmarks.Tally;
import io.vertx.core.Context;
import java.util.concurrent.Executor;

/** Turns without messages of others: command-sync, command-async, yield-many, timers. */
final class Turns {
    private static final Object GO_ON = "go on";
    private static final Object ANSWER = "answer";

    private Turns() {}

    /** A command is a call of a service that answers with a message, on the spot or from another thread. */
    static void commands(EventLoops loops, Executor answerer, int commands) throws InterruptedException {
        int each = Shape.share(commands, Shape.COMMANDERS);
        var tally = new Tally(Shape.COMMANDERS);
        for (int i = 0; i < Shape.COMMANDERS; i++) {
            new Commander(loops.of(i), answerer, each, tally).send(GO_ON);
        }
        tally.check("answers", commands);
    }

    static void yieldMany(EventLoops loops, int turns) throws InterruptedException {
        int each = Shape.share(turns, Shape.YIELDERS);
        var tally = new Tally(Shape.YIELDERS);
        for (int i = 0; i < Shape.YIELDERS; i++) {
            new Yielder(loops.of(i), each, tally).send(GO_ON);
        }
        tally.check("turns", turns);
    }

    static void timers(EventLoops loops, int count, Sleeps sleeps) {
        for (int i = 0; i < count; i++) {
            new Sleeper(loops, i, sleeps).send(GO_ON);
        }
    }

    private static final class Commander extends Actor implements Runnable {
        private final Executor answerer;
        private final int count;
        private final Tally tally;
        private int answers;

        Commander(Context context, Executor answerer, int count, Tally tally) {
            super(context);
            this.answerer = answerer;
            this.count = count;
            this.tally = tally;
        }

        @Override
        void receive(Object message) {
            if (message.equals(ANSWER)) {
                answers++;
            }
            if (answers < count) {
                answerer.execute(this);
            } else {
                tally.done(answers);
            }
        }

        /** The service. */
        @Override
        public void run() {
            send(ANSWER);
        }
    }

    /** Gives up its turn with a message to itself, the one way that such an actor has. */
    private static final class Yielder extends Actor {
        private final int count;
        private final Tally tally;
        private int turns;

        Yielder(Context context, int count, Tally tally) {
            super(context);
            this.count = count;
            this.tally = tally;
        }

        @Override
        void receive(Object message) {
            if (++turns < count) {
                send(message);
            } else {
                tally.done(turns);
            }
        }
    }

    private static final class Sleeper extends Actor {
        private final EventLoops loops;
        private final int id;
        private final Sleeps sleeps;

        Sleeper(EventLoops loops, int id, Sleeps sleeps) {
            super(loops.of(id));
            this.loops = loops;
            this.id = id;
            this.sleeps = sleeps;
        }

        /** On its event loop, which then runs the timer too. */
        @Override
        void receive(Object message) {
            loops.vertx().setTimer(sleeps.start(id), timer -> sleeps.end(id));
        }
    }
}
