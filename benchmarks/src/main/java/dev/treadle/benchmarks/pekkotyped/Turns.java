// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.pekkotyped;

import dev.treadle.benchmarks.Service;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Sleeps;
import dev.treadle.benchmarks.Tally;
import dev.treadle.benchmarks.pekko.Settings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Turns without messages of others: command-sync, command-async, yield-many, timers. */
final class Turns {
    private static final Object GO_ON = "go on";
    private static final Object ANSWER = "answer";

    private Turns() {}

    static void commandSync(Guardian guardian, int commands) throws InterruptedException {
        commands(guardian, commands, () -> Service.answer(ANSWER));
    }

    static void commandAsync(Guardian guardian, int commands, Executor answerer) throws InterruptedException {
        commands(guardian, commands, () -> CompletableFuture.supplyAsync(() -> ANSWER, answerer));
    }

    private static void commands(Guardian guardian, int commands, Supplier<CompletableFuture<Object>> service)
            throws InterruptedException {
        int each = Shape.share(commands, Shape.COMMANDERS);
        var tally = new Tally(Shape.COMMANDERS);
        guardian.start(Shape.COMMANDERS, i -> Commander.behavior(service, each, tally));
        tally.check("answers", commands);
    }

    static void yieldMany(Guardian guardian, int turns) throws InterruptedException {
        int each = Shape.share(turns, Shape.YIELDERS);
        var tally = new Tally(Shape.YIELDERS);
        guardian.tell(context -> {
            for (int i = 0; i < Shape.YIELDERS; i++) {
                context.spawnAnonymous(
                                Yielder.behavior(each, tally), DispatcherSelector.fromConfig(Settings.TURN_BY_TURN))
                        .tell(GO_ON);
            }
        });
        tally.check("turns", turns);
    }

    static void timers(Guardian guardian, int count, Sleeps sleeps) {
        guardian.start(count, i -> sleeper(i, sleeps));
    }

    private static Behavior<Object> sleeper(int id, Sleeps sleeps) {
        return Behaviors.setup(context -> {
            context.scheduleOnce(Duration.ofMillis(sleeps.start(id)), context.getSelf(), ANSWER);
            return Behaviors.receiveMessage(message -> {
                sleeps.end(id);
                return Behaviors.stopped();
            });
        });
    }

    /** What comes of the future is sent to the actor itself by whoever completes it, as pipeToSelf does. */
    private static final class Commander {
        private final ActorRef<Object> self;
        private final Supplier<CompletableFuture<Object>> service;
        private final int count;
        private final Tally tally;
        private int answers;

        private Commander(ActorRef<Object> self, Supplier<CompletableFuture<Object>> service, int count, Tally tally) {
            this.self = self;
            this.service = service;
            this.count = count;
            this.tally = tally;
        }

        static Behavior<Object> behavior(Supplier<CompletableFuture<Object>> service, int count, Tally tally) {
            return Behaviors.setup(context -> {
                var commander = new Commander(context.getSelf(), service, count, tally);
                commander.command();
                return Behaviors.receiveMessage(commander::receive);
            });
        }

        private Behavior<Object> receive(Object message) {
            if (message.equals(ANSWER) && ++answers < count) {
                command();
                return Behaviors.same();
            }
            tally.done(answers);
            return Behaviors.stopped();
        }

        @SuppressWarnings("FutureReturnValueIgnored") // it only sends
        private void command() {
            service.get().thenAccept(self::tell);
        }
    }

    /** Gives up its turn with a message to itself, the one way that an actor has; its turns are of one message. */
    private static final class Yielder {
        private final ActorRef<Object> self;
        private final int count;
        private final Tally tally;
        private int turns;

        private Yielder(ActorRef<Object> self, int count, Tally tally) {
            this.self = self;
            this.count = count;
            this.tally = tally;
        }

        static Behavior<Object> behavior(int count, Tally tally) {
            return Behaviors.setup(
                    context -> Behaviors.receiveMessage(new Yielder(context.getSelf(), count, tally)::receive));
        }

        private Behavior<Object> receive(Object message) {
            if (++turns < count) {
                self.tell(message);
                return Behaviors.same();
            }
            tally.done(turns);
            return Behaviors.stopped();
        }
    }
}
