// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.fj;

import dev.treadle.benchmarks.Arrivals;
import dev.treadle.benchmarks.Check;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import java.util.concurrent.ForkJoinPool;

/** Some only send, some only get: counting, fanin, fjthrow. */
final class Floods {
    private static final Object INCREMENT = "increment";
    private static final Object GO_ON = "go on";

    private Floods() {}

    private record Ask(Actor replyTo) {}

    static void counting(ForkJoinPool pool, int messages) throws InterruptedException {
        var tally = new Tally(1);
        new Incrementer(pool, new Counter(pool), messages, tally).send(GO_ON);
        tally.check("total", messages);
    }

    static void fanin(ForkJoinPool pool, int messages) throws InterruptedException {
        int each = Shape.share(messages, Shape.PRODUCERS);
        var tally = new Tally(1);
        var consumer = new Consumer(pool, messages, tally);
        for (int i = 0; i < Shape.PRODUCERS; i++) {
            new Producer(pool, i, each, consumer).send(GO_ON);
        }
        tally.check("messages", messages);
    }

    static void fjthrow(ForkJoinPool pool, int messages) throws InterruptedException {
        int each = Shape.share(messages, Shape.RECEIVERS);
        var tally = new Tally(Shape.RECEIVERS);
        var receivers = new Computer[Shape.RECEIVERS];
        for (int i = 0; i < receivers.length; i++) {
            receivers[i] = new Computer(pool, each, tally);
        }
        new Driver(pool, receivers, each).send(GO_ON);
        tally.check("computed", Shape.RECEIVERS * Check.computeAll(each));
    }

    /** Sends a part of its messages in each turn. */
    private abstract static class Sender extends Actor {
        private final int sendsPerTurn;
        private int left;

        Sender(ForkJoinPool pool, int count, int sendsPerTurn) {
            super(pool);
            this.left = count;
            this.sendsPerTurn = sendsPerTurn;
        }

        @Override
        void receive(Object message) {
            for (int turn = Math.min(left, sendsPerTurn); turn > 0; turn--) {
                sendOne();
                left--;
            }
            if (left > 0) {
                yieldTurn(GO_ON);
            } else {
                allSent();
            }
        }

        abstract void sendOne();

        void allSent() {}
    }

    private static final class Incrementer extends Sender {
        private final Counter counter;
        private final Tally tally;

        Incrementer(ForkJoinPool pool, Counter counter, int count, Tally tally) {
            super(pool, count, Shape.SENDS_PER_TURN);
            this.counter = counter;
            this.tally = tally;
        }

        @Override
        void sendOne() {
            counter.send(INCREMENT);
        }

        @Override
        void allSent() {
            counter.send(new Ask(this));
        }

        @Override
        void receive(Object message) {
            if (message instanceof Long total) {
                tally.done(total);
            } else {
                super.receive(message);
            }
        }
    }

    private static final class Counter extends Actor {
        private long total;

        Counter(ForkJoinPool pool) {
            super(pool);
        }

        @Override
        void receive(Object message) {
            if (message instanceof Ask ask) {
                ask.replyTo.send(total);
            } else {
                total++;
            }
        }
    }

    private static final class Producer extends Sender {
        private final int id;
        private final Consumer consumer;
        private int number;

        Producer(ForkJoinPool pool, int id, int count, Consumer consumer) {
            super(pool, count, Shape.SENDS_PER_TURN);
            this.id = id;
            this.consumer = consumer;
        }

        @Override
        void sendOne() {
            consumer.send(Arrivals.message(id, number++));
        }
    }

    private static final class Consumer extends Actor {
        private final Arrivals arrivals;
        private final Tally tally;
        private int count;

        Consumer(ForkJoinPool pool, int count, Tally tally) {
            super(pool);
            this.arrivals = new Arrivals(count);
            this.tally = tally;
        }

        @Override
        void receive(Object message) {
            count++;
            if (arrivals.isLast((Long) message)) {
                tally.done(count);
            }
        }
    }

    private static final class Driver extends Sender {
        private final Computer[] receivers;
        private int round;

        Driver(ForkJoinPool pool, Computer[] receivers, int rounds) {
            super(pool, rounds, Shape.SENDS_PER_TURN / Shape.RECEIVERS);
            this.receivers = receivers;
        }

        @Override
        void sendOne() {
            Integer work = round++;
            for (Computer receiver : receivers) {
                receiver.send(work);
            }
        }
    }

    private static final class Computer extends Actor {
        private final Tally tally;
        private int left;
        private long sum;

        Computer(ForkJoinPool pool, int count, Tally tally) {
            super(pool);
            this.left = count;
            this.tally = tally;
        }

        @Override
        void receive(Object message) {
            sum += Check.compute((Integer) message);
            if (--left == 0) {
                tally.done(sum);
            }
        }
    }
}
