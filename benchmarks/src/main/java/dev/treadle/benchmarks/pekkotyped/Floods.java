// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.pekkotyped;

import dev.treadle.benchmarks.Arrivals;
import dev.treadle.benchmarks.Check;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import java.util.List;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Some only send, some only get: counting, fanin, fjthrow. */
final class Floods {
    private static final Object INCREMENT = "increment";
    private static final Object GO_ON = "go on";

    private Floods() {}

    private record Ask(ActorRef<Object> replyTo) {}

    static void counting(Guardian guardian, int messages) throws InterruptedException {
        var tally = new Tally(1);
        ActorRef<Object> counter = guardian.start(Behaviors.receiveMessage(new Counter()::receive));
        guardian.start(sender(self -> new Incrementer(self, counter, messages, tally)))
                .tell(GO_ON);
        tally.check("total", messages);
    }

    static void fanin(Guardian guardian, int messages) throws InterruptedException {
        int each = Shape.share(messages, Shape.PRODUCERS);
        var tally = new Tally(1);
        ActorRef<Long> consumer = guardian.start(Behaviors.receiveMessage(new Consumer(messages, tally)::receive));
        guardian.start(Shape.PRODUCERS, i -> sender(self -> new Producer(self, i, each, consumer)))
                .forEach(producer -> producer.tell(GO_ON));
        tally.check("messages", messages);
    }

    static void fjthrow(Guardian guardian, int messages) throws InterruptedException {
        int each = Shape.share(messages, Shape.RECEIVERS);
        var tally = new Tally(Shape.RECEIVERS);
        List<ActorRef<Integer>> receivers =
                guardian.start(Shape.RECEIVERS, i -> Behaviors.receiveMessage(new Computer(each, tally)::receive));
        guardian.start(sender(self -> new Driver(self, receivers, each))).tell(GO_ON);
        tally.check("computed", Shape.RECEIVERS * Check.computeAll(each));
    }

    private static Behavior<Object> sender(Function<ActorRef<Object>, Sender> state) {
        return Behaviors.setup(context -> Behaviors.receiveMessage(state.apply(context.getSelf())::receive));
    }

    /** Sends a part of its messages in each turn. */
    private abstract static class Sender {
        final ActorRef<Object> self;
        private final int sendsPerTurn;
        private int left;

        Sender(ActorRef<Object> self, int count, int sendsPerTurn) {
            this.self = self;
            this.left = count;
            this.sendsPerTurn = sendsPerTurn;
        }

        Behavior<Object> receive(Object message) {
            for (int turn = Math.min(left, sendsPerTurn); turn > 0; turn--) {
                sendOne();
                left--;
            }
            if (left > 0) {
                self.tell(GO_ON);
                return Behaviors.same();
            }
            return allSent();
        }

        abstract void sendOne();

        Behavior<Object> allSent() {
            return Behaviors.stopped();
        }
    }

    private static final class Incrementer extends Sender {
        private final ActorRef<Object> counter;
        private final Tally tally;

        Incrementer(ActorRef<Object> self, ActorRef<Object> counter, int count, Tally tally) {
            super(self, count, Shape.SENDS_PER_TURN);
            this.counter = counter;
            this.tally = tally;
        }

        @Override
        void sendOne() {
            counter.tell(INCREMENT);
        }

        @Override
        Behavior<Object> allSent() {
            counter.tell(new Ask(self));
            return Behaviors.same();
        }

        @Override
        Behavior<Object> receive(Object message) {
            if (message instanceof Long total) {
                tally.done(total);
                return Behaviors.stopped();
            }
            return super.receive(message);
        }
    }

    private static final class Counter {
        private long total;

        Behavior<Object> receive(Object message) {
            if (message instanceof Ask ask) {
                ask.replyTo.tell(total);
                return Behaviors.stopped();
            }
            total++;
            return Behaviors.same();
        }
    }

    private static final class Producer extends Sender {
        private final int id;
        private final ActorRef<Long> consumer;
        private int number;

        Producer(ActorRef<Object> self, int id, int count, ActorRef<Long> consumer) {
            super(self, count, Shape.SENDS_PER_TURN);
            this.id = id;
            this.consumer = consumer;
        }

        @Override
        void sendOne() {
            consumer.tell(Arrivals.message(id, number++));
        }
    }

    private static final class Consumer {
        private final Arrivals arrivals;
        private final Tally tally;
        private int count;

        Consumer(int count, Tally tally) {
            this.arrivals = new Arrivals(count);
            this.tally = tally;
        }

        Behavior<Long> receive(Long message) {
            count++;
            if (!arrivals.isLast(message)) {
                return Behaviors.same();
            }
            tally.done(count);
            return Behaviors.stopped();
        }
    }

    private static final class Driver extends Sender {
        private final List<ActorRef<Integer>> receivers;
        private int round;

        Driver(ActorRef<Object> self, List<ActorRef<Integer>> receivers, int rounds) {
            super(self, rounds, Shape.SENDS_PER_TURN / Shape.RECEIVERS);
            this.receivers = receivers;
        }

        @Override
        void sendOne() {
            Integer work = round++;
            for (ActorRef<Integer> receiver : receivers) {
                receiver.tell(work);
            }
        }
    }

    private static final class Computer {
        private final Tally tally;
        private int left;
        private long sum;

        Computer(int count, Tally tally) {
            this.left = count;
            this.tally = tally;
        }

        Behavior<Integer> receive(Integer work) {
            sum += Check.compute(work);
            if (--left > 0) {
                return Behaviors.same();
            }
            tally.done(sum);
            return Behaviors.stopped();
        }
    }
}
