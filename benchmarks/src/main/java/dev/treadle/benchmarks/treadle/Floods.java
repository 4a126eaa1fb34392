// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.treadle;

import dev.treadle.Message;
import dev.treadle.Pid;
import dev.treadle.Scheduler;
import dev.treadle.StepOutput;
import dev.treadle.benchmarks.Arrivals;
import dev.treadle.benchmarks.Check;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;

/** Some only send, some only get: counting, fanin, fjthrow. */
final class Floods {
    private static final String INCREMENT = "increment";
    private static final String ASK = "ask";
    private static final String TOTAL = "total";

    private Floods() {}

    static void counting(Scheduler scheduler, int messages) throws InterruptedException {
        var tally = new Tally(1);
        Pid counter = scheduler.submit(new Counter(), "main").pid();
        scheduler.submit(new Incrementer(counter, messages, tally), "main");
        tally.check("total", messages);
    }

    static void fanin(Scheduler scheduler, int messages) throws InterruptedException {
        int each = Shape.share(messages, Shape.PRODUCERS);
        var tally = new Tally(1);
        Pid consumer = scheduler.submit(new Consumer(messages, tally), "main").pid();
        TreadlePeer.start(scheduler, Shape.PRODUCERS, i -> new Producer(i, each, consumer));
        tally.check("messages", messages);
    }

    static void fjthrow(Scheduler scheduler, int messages) throws InterruptedException {
        int each = Shape.share(messages, Shape.RECEIVERS);
        var tally = new Tally(Shape.RECEIVERS);
        Pid[] receivers = TreadlePeer.start(scheduler, Shape.RECEIVERS, i -> new Computer(each, tally));
        scheduler.submit(new Driver(receivers, each), "main");
        tally.check("computed", Shape.RECEIVERS * Check.computeAll(each));
    }

    /** Sends a part of its messages in each turn. */
    private abstract static class Sender extends Actor {
        private int left;

        Sender(int count) {
            left = count;
        }

        @Override
        final void emptyStep(StepOutput out) {
            for (int turn = Math.min(left, sendsPerTurn()); turn > 0; turn--) {
                sendOne();
                left--;
            }
            if (left > 0) {
                out.again();
            } else {
                allSent(out);
            }
        }

        int sendsPerTurn() {
            return Shape.SENDS_PER_TURN;
        }

        abstract void sendOne();

        void allSent(StepOutput out) {
            out.done();
        }

        @Override
        void receive(Message message, StepOutput out) {
            throw new IllegalStateException("got " + message + ", expected nothing");
        }
    }

    private static final class Incrementer extends Sender {
        private final Pid counter;
        private final Tally tally;

        Incrementer(Pid counter, int count, Tally tally) {
            super(count);
            this.counter = counter;
            this.tally = tally;
        }

        @Override
        void sendOne() {
            send(counter, INCREMENT, null);
        }

        @Override
        void allSent(StepOutput out) {
            send(counter, ASK, null);
        }

        @Override
        void receive(Message message, StepOutput out) {
            tally.done(message.payload(Long.class));
            out.done();
        }
    }

    private static final class Counter extends Actor {
        private long total;

        @Override
        void receive(Message message, StepOutput out) {
            if (message.topic().equals(INCREMENT)) {
                total++;
            } else {
                send(sender(message), TOTAL, total);
                out.done();
            }
        }
    }

    private static final class Producer extends Sender {
        private final int id;
        private final Pid consumer;
        private int number;

        Producer(int id, int count, Pid consumer) {
            super(count);
            this.id = id;
            this.consumer = consumer;
        }

        @Override
        void sendOne() {
            send(consumer, INCREMENT, Arrivals.message(id, number++));
        }
    }

    private static final class Consumer extends Actor {
        private final Arrivals arrivals;
        private final Tally tally;
        private int count;

        Consumer(int count, Tally tally) {
            this.arrivals = new Arrivals(count);
            this.tally = tally;
        }

        @Override
        void receive(Message message, StepOutput out) {
            count++;
            if (arrivals.isLast(message.payload(Long.class))) {
                tally.done(count);
                out.done();
            }
        }
    }

    private static final class Driver extends Sender {
        private final Pid[] receivers;
        private int round;

        Driver(Pid[] receivers, int rounds) {
            super(rounds);
            this.receivers = receivers;
        }

        @Override
        int sendsPerTurn() {
            return Shape.SENDS_PER_TURN / Shape.RECEIVERS;
        }

        @Override
        void sendOne() {
            Integer work = round++;
            for (Pid receiver : receivers) {
                send(receiver, INCREMENT, work);
            }
        }
    }

    private static final class Computer extends Actor {
        private final Tally tally;
        private int left;
        private long sum;

        Computer(int count, Tally tally) {
            this.left = count;
            this.tally = tally;
        }

        @Override
        void receive(Message message, StepOutput out) {
            sum += Check.compute(message.payload(Integer.class));
            if (--left == 0) {
                tally.done(sum);
                out.done();
            }
        }
    }
}
