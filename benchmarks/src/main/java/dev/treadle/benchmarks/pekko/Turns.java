// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.pekko;

import dev.treadle.benchmarks.Service;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Sleeps;
import dev.treadle.benchmarks.Tally;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.UntypedAbstractActor;

/** Turns without messages of others: command-sync, command-async, yield-many, timers. */
final class Turns {
    private static final Object GO_ON = "go on";
    private static final Object ANSWER = "answer";

    private Turns() {}

    static void commandSync(ActorSystem system, int commands) throws InterruptedException {
        commands(system, commands, () -> Service.answer(ANSWER));
    }

    static void commandAsync(ActorSystem system, int commands, Executor answerer) throws InterruptedException {
        commands(system, commands, () -> CompletableFuture.supplyAsync(() -> ANSWER, answerer));
    }

    private static void commands(ActorSystem system, int commands, Supplier<CompletableFuture<Object>> service)
            throws InterruptedException {
        int each = Shape.share(commands, Shape.COMMANDERS);
        var tally = new Tally(Shape.COMMANDERS);
        PekkoPeer.start(system, Commander.class, Shape.COMMANDERS, i -> new Commander(service, each, tally));
        tally.check("answers", commands);
    }

    static void yieldMany(ActorSystem system, int turns) throws InterruptedException {
        int each = Shape.share(turns, Shape.YIELDERS);
        var tally = new Tally(Shape.YIELDERS);
        for (int i = 0; i < Shape.YIELDERS; i++) {
            Props props = PekkoPeer.props(Yielder.class, () -> new Yielder(each, tally));
            system.actorOf(props.withDispatcher(Settings.TURN_BY_TURN)).tell(GO_ON, ActorRef.noSender());
        }
        tally.check("turns", turns);
    }

    static void timers(ActorSystem system, int count, Sleeps sleeps) {
        PekkoPeer.start(system, Sleeper.class, count, i -> new Sleeper(i, sleeps));
    }

    /** What comes of the future is sent to the actor itself by whoever completes it, as pipe does. */
    private static final class Commander extends UntypedAbstractActor {
        private final Supplier<CompletableFuture<Object>> service;
        private final int count;
        private final Tally tally;
        private int answers;

        Commander(Supplier<CompletableFuture<Object>> service, int count, Tally tally) {
            this.service = service;
            this.count = count;
            this.tally = tally;
        }

        @Override
        public void preStart() {
            command();
        }

        @Override
        public void onReceive(Object message) {
            if (message.equals(ANSWER) && ++answers < count) {
                command();
            } else {
                tally.done(answers);
                getContext().stop(getSelf());
            }
        }

        @SuppressWarnings("FutureReturnValueIgnored") // it only sends
        private void command() {
            ActorRef self = getSelf();
            service.get().thenAccept(answer -> self.tell(answer, ActorRef.noSender()));
        }
    }

    /** Gives up its turn with a message to itself, the one way that an actor has; its turns are of one message. */
    private static final class Yielder extends UntypedAbstractActor {
        private final int count;
        private final Tally tally;
        private int turns;

        Yielder(int count, Tally tally) {
            this.count = count;
            this.tally = tally;
        }

        @Override
        public void onReceive(Object message) {
            if (++turns < count) {
                getSelf().tell(message, ActorRef.noSender());
            } else {
                tally.done(turns);
                getContext().stop(getSelf());
            }
        }
    }

    private static final class Sleeper extends UntypedAbstractActor {
        private final int id;
        private final Sleeps sleeps;

        Sleeper(int id, Sleeps sleeps) {
            this.id = id;
            this.sleeps = sleeps;
        }

        @Override
        public void preStart() {
            getContext()
                    .getSystem()
                    .scheduler()
                    .scheduleOnce(
                            Duration.ofMillis(sleeps.start(id)),
                            getSelf(),
                            ANSWER,
                            getContext().getDispatcher(),
                            ActorRef.noSender());
        }

        @Override
        public void onReceive(Object message) {
            sleeps.end(id);
            getContext().stop(getSelf());
        }
    }
}
