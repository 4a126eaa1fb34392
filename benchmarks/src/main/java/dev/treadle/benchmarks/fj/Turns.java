// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.fj;

import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Sleeps;
import dev.treadle.benchmarks.Tally;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Turns without messages of others: command-sync, command-async, yield-many, timers. */
final class Turns {
    private static final Object GO_ON = "go on";
    private static final Object ANSWER = "answer";

    private Turns() {}

    /** A command is a call of a service that answers with a message, on the spot or from another thread. */
    static void commands(ForkJoinPool pool, Executor answerer, int commands) throws InterruptedException {
        int each = Shape.share(commands, Shape.COMMANDERS);
        var tally = new Tally(Shape.COMMANDERS);
        for (int i = 0; i < Shape.COMMANDERS; i++) {
            new Commander(pool, answerer, each, tally).send(GO_ON);
        }
        tally.check("answers", commands);
    }

    static void yieldMany(ForkJoinPool pool, int turns) throws InterruptedException {
        int each = Shape.share(turns, Shape.YIELDERS);
        var tally = new Tally(Shape.YIELDERS);
        for (int i = 0; i < Shape.YIELDERS; i++) {
            new Yielder(pool, each, tally).send(GO_ON);
        }
        tally.check("turns", turns);
    }

    static void timers(ForkJoinPool pool, ScheduledExecutorService timer, int count, Sleeps sleeps) {
        for (int i = 0; i < count; i++) {
            new Sleeper(pool, timer, i, sleeps).send(GO_ON);
        }
    }

    private static final class Commander extends Actor implements Runnable {
        private final Executor answerer;
        private final int count;
        private final Tally tally;
        private int answers;

        Commander(ForkJoinPool pool, Executor answerer, int count, Tally tally) {
            super(pool);
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

        Yielder(ForkJoinPool pool, int count, Tally tally) {
            super(pool);
            this.count = count;
            this.tally = tally;
        }

        @Override
        void receive(Object message) {
            if (++turns < count) {
                yieldTurn(message);
            } else {
                tally.done(turns);
            }
        }
    }

    private static final class Sleeper extends Actor implements Runnable {
        private final ScheduledExecutorService timer;
        private final int id;
        private final Sleeps sleeps;

        Sleeper(ForkJoinPool pool, ScheduledExecutorService timer, int id, Sleeps sleeps) {
            super(pool);
            this.timer = timer;
            this.id = id;
            this.sleeps = sleeps;
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // it only sends
        void receive(Object message) {
            if (message.equals(GO_ON)) {
                timer.schedule(this, sleeps.start(id), TimeUnit.MILLISECONDS);
            } else {
                sleeps.end(id);
            }
        }

        /** The timer. */
        @Override
        public void run() {
            send(ANSWER);
        }
    }
}
