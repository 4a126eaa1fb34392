// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.pekko;

import dev.treadle.benchmarks.Arrivals;
import dev.treadle.benchmarks.Check;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.UntypedAbstractActor;

/** Some only send, some only get: counting, fanin, fjthrow. */
final class Floods {
    private static final Object INCREMENT = "increment";
    private static final Object GO_ON = "go on";
    private static final Object ASK = "ask";

    private Floods() {}

    static void counting(ActorSystem system, int messages) throws InterruptedException {
        var tally = new Tally(1);
        ActorRef counter = PekkoPeer.start(system, Counter.class, Counter::new);
        PekkoPeer.start(system, Incrementer.class, () -> new Incrementer(counter, messages, tally))
                .tell(GO_ON, ActorRef.noSender());
        tally.check("total", messages);
    }

    static void fanin(ActorSystem system, int messages) throws InterruptedException {
        int each = Shape.share(messages, Shape.PRODUCERS);
        var tally = new Tally(1);
        ActorRef consumer = PekkoPeer.start(system, Consumer.class, () -> new Consumer(messages, tally));
        PekkoPeer.tell(
                PekkoPeer.start(system, Producer.class, Shape.PRODUCERS, i -> new Producer(i, each, consumer)), GO_ON);
        tally.check("messages", messages);
    }

    static void fjthrow(ActorSystem system, int messages) throws InterruptedException {
        int each = Shape.share(messages, Shape.RECEIVERS);
        var tally = new Tally(Shape.RECEIVERS);
        ActorRef[] receivers = PekkoPeer.start(system, Computer.class, Shape.RECEIVERS, i -> new Computer(each, tally));
        PekkoPeer.start(system, Driver.class, () -> new Driver(receivers, each)).tell(GO_ON, ActorRef.noSender());
        tally.check("computed", Shape.RECEIVERS * Check.computeAll(each));
    }

    /** Sends a part of its messages in each turn. */
    private abstract static class Sender extends UntypedAbstractActor {
        private final int sendsPerTurn;
        private int left;

        Sender(int count, int sendsPerTurn) {
            this.left = count;
            this.sendsPerTurn = sendsPerTurn;
        }

        @Override
        public void onReceive(Object message) {
            for (int turn = Math.min(left, sendsPerTurn); turn > 0; turn--) {
                sendOne();
                left--;
            }
            if (left > 0) {
                getSelf().tell(GO_ON, ActorRef.noSender());
            } else {
                allSent();
            }
        }

        abstract void sendOne();

        void allSent() {
            getContext().stop(getSelf());
        }
    }

    private static final class Incrementer extends Sender {
        private final ActorRef counter;
        private final Tally tally;

        Incrementer(ActorRef counter, int count, Tally tally) {
            super(count, Shape.SENDS_PER_TURN);
            this.counter = counter;
            this.tally = tally;
        }

        @Override
        void sendOne() {
            counter.tell(INCREMENT, ActorRef.noSender());
        }

        @Override
        void allSent() {
            counter.tell(ASK, getSelf());
        }

        @Override
        public void onReceive(Object message) {
            if (message instanceof Long total) {
                tally.done(total);
                getContext().stop(getSelf());
            } else {
                super.onReceive(message);
            }
        }
    }

    private static final class Counter extends UntypedAbstractActor {
        private long total;

        @Override
        public void onReceive(Object message) {
            if (message.equals(INCREMENT)) {
                total++;
            } else {
                getSender().tell(total, getSelf());
                getContext().stop(getSelf());
            }
        }
    }

    private static final class Producer extends Sender {
        private final int id;
        private final ActorRef consumer;
        private int number;

        Producer(int id, int count, ActorRef consumer) {
            super(count, Shape.SENDS_PER_TURN);
            this.id = id;
            this.consumer = consumer;
        }

        @Override
        void sendOne() {
            consumer.tell(Arrivals.message(id, number++), ActorRef.noSender());
        }
    }

    private static final class Consumer extends UntypedAbstractActor {
        private final Arrivals arrivals;
        private final Tally tally;
        private int count;

        Consumer(int count, Tally tally) {
            this.arrivals = new Arrivals(count);
            this.tally = tally;
        }

        @Override
        public void onReceive(Object message) {
            count++;
            if (arrivals.isLast((Long) message)) {
                tally.done(count);
                getContext().stop(getSelf());
            }
        }
    }

    private static final class Driver extends Sender {
        private final ActorRef[] receivers;
        private int round;

        Driver(ActorRef[] receivers, int rounds) {
            super(rounds, Shape.SENDS_PER_TURN / Shape.RECEIVERS);
            this.receivers = receivers;
        }

        @Override
        void sendOne() {
            Integer work = round++;
            for (ActorRef receiver : receivers) {
                receiver.tell(work, ActorRef.noSender());
            }
        }
    }

    private static final class Computer extends UntypedAbstractActor {
        private final Tally tally;
        private int left;
        private long sum;

        Computer(int count, Tally tally) {
            this.left = count;
            this.tally = tally;
        }

        @Override
        public void onReceive(Object message) {
            sum += Check.compute((Integer) message);
            if (--left == 0) {
                tally.done(sum);
                getContext().stop(getSelf());
            }
        }
    }
}
