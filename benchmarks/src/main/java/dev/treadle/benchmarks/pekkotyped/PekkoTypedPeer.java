// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.pekko;

import dev.treadle.benchmarks.Creations;
import dev.treadle.benchmarks.Peer;
import dev.treadle.benchmarks.RollCall;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Pekko, typed actors: the workloads that show what the types cost. The others are the classic peer's. */
public final class PekkoTypedPeer implements Peer {
    private static final String INCREMENT = "increment";
    private static final String WORK = "work";

    private final ActorSystem<Consumer<ActorContext<?>>> system;

    /** Starts an actor system whose guardian does what it is sent, so that actors can be started from outside. */
    public PekkoTypedPeer(int workers) {
        system = ActorSystem.create(
                Behaviors.receive((context, action) -> {
                    action.accept(context);
                    return Behaviors.same();
                }),
                "benchmark",
                Settings.with(workers));
    }

    private record Ball(ActorRef<Ball> from) {}

    private record Ask(ActorRef<Object> replyTo) {}

    @Override
    public void pingpong(int messages) throws Exception {
        int each = Shape.share(messages, 2);
        var tally = new Tally(2);
        system.tell(context -> {
            ActorRef<Ball> first = context.spawnAnonymous(player(true, each, tally));
            ActorRef<Ball> second = context.spawnAnonymous(player(false, each, tally));
            second.tell(new Ball(first)); // the one that the first begins with
        });
        tally.check("balls", messages);
    }

    private static Behavior<Ball> player(boolean begins, int balls, Tally tally) {
        return Behaviors.setup(context -> {
            var mine = new Ball(context.getSelf());
            var got = new int[1];
            return Behaviors.receiveMessage(ball -> {
                got[0]++;
                if (got[0] < balls || !begins) {
                    ball.from.tell(mine);
                }
                if (got[0] < balls) {
                    return Behaviors.same();
                }
                tally.done(got[0]);
                return Behaviors.stopped();
            });
        });
    }

    @Override
    public void counting(int messages) throws Exception {
        var tally = new Tally(1);
        system.tell(context -> {
            ActorRef<Object> counter = context.spawnAnonymous(counter());
            context.spawnAnonymous(incrementer(counter, messages, tally)).tell(WORK);
        });
        tally.check("total", messages);
    }

    private static Behavior<Object> counter() {
        return Behaviors.setup(context -> {
            var total = new long[1];
            return Behaviors.receiveMessage(message -> {
                if (message instanceof Ask ask) {
                    ask.replyTo.tell(total[0]);
                    return Behaviors.stopped();
                }
                total[0]++;
                return Behaviors.same();
            });
        });
    }

    private static Behavior<Object> incrementer(ActorRef<Object> counter, int messages, Tally tally) {
        return Behaviors.setup(context -> {
            ActorRef<Object> self = context.getSelf();
            var left = new int[] {messages};
            return Behaviors.receiveMessage(message -> {
                if (message instanceof Long total) {
                    tally.done(total);
                    return Behaviors.stopped();
                }
                for (int turn = Math.min(left[0], Shape.SENDS_PER_TURN); turn > 0; turn--) {
                    counter.tell(INCREMENT);
                    left[0]--;
                }
                if (left[0] > 0) {
                    self.tell(message);
                } else {
                    counter.tell(new Ask(self));
                }
                return Behaviors.same();
            });
        });
    }

    @Override
    public void fjcreate(int processes) throws Exception {
        var creations = new Creations(processes);
        system.tell(context -> context.spawnAnonymous(creator(creations)).tell(WORK));
        creations.check();
    }

    private static Behavior<Object> creator(Creations creations) {
        Behavior<Integer> shortLived = Behaviors.receiveMessage(work -> {
            creations.ended(work);
            return Behaviors.stopped();
        });
        return Behaviors.receive((context, message) -> {
            for (int i = 0; i < Shape.SENDS_PER_TURN && creations.hasNext() && !creations.isFull(); i++) {
                Integer work = creations.next();
                context.spawnAnonymous(shortLived).tell(work);
            }
            if (creations.hasNext()) {
                context.getSelf().tell(message);
                return Behaviors.same();
            }
            // Its last children are still busy: a parent that stops takes them along.
            return Behaviors.empty();
        });
    }

    @Override
    public Crowd crowd(int processes) throws Exception {
        var roll = new RollCall(processes);
        var crowd = new Object[processes];
        Behavior<String> idler = Behaviors.receiveMessage(message -> {
            roll.here();
            return Behaviors.same();
        });
        system.tell(context -> {
            for (int i = 0; i < processes; i++) {
                ActorRef<String> ref = context.spawnAnonymous(idler);
                crowd[i] = ref;
                ref.tell(WORK);
            }
        });
        roll.check();
        return () -> {
            roll.again();
            for (Object ref : crowd) {
                @SuppressWarnings("unchecked") // an array of a generic type cannot be made
                var typed = (ActorRef<String>) ref;
                typed.tell(WORK);
            }
            roll.check();
        };
    }

    @Override
    public void close() {
        system.terminate();
        system.getWhenTerminated()
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }
}
