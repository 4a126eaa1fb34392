// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.pekkotyped;

import dev.treadle.benchmarks.Fairness;
import dev.treadle.benchmarks.Peer;
import dev.treadle.benchmarks.RollCall;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Wakes;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Processes that wait: idle-memory, wake-latency, fairness. */
final class Waiting {
    private static final Object WORK = "work";

    private Waiting() {}

    static Peer.Crowd crowd(Guardian guardian, int count) throws InterruptedException {
        var roll = new RollCall(count);
        Behavior<Object> idler = onMessage(roll::here); // one for all: it counts as memory
        List<ActorRef<Object>> crowd = guardian.start(count, i -> idler);
        crowd.forEach(one -> one.tell(WORK));
        roll.check();
        return () -> {
            roll.again();
            crowd.forEach(one -> one.tell(WORK));
            roll.check();
        };
    }

    static Runnable sleeper(Guardian guardian, Wakes wakes) {
        ActorRef<Object> sleeper = guardian.start(onMessage(wakes::turn));
        return () -> sleeper.tell(WORK);
    }

    static Runnable fairness(Guardian guardian, Fairness fairness) {
        List<ActorRef<Object>> crowd = guardian.start(fairness.crowd(), i -> onMessage(fairness::ran));
        guardian.start(Shape.HOGS, i -> Hog.behavior(fairness)).forEach(hog -> hog.tell(WORK));
        return () -> crowd.forEach(one -> one.tell(WORK));
    }

    private static Behavior<Object> onMessage(Runnable action) {
        return Behaviors.receiveMessage(message -> {
            action.run();
            return Behaviors.same();
        });
    }

    private static final class Hog {
        private final ActorRef<Object> self;
        private final Fairness fairness;
        private boolean started;

        private Hog(ActorRef<Object> self, Fairness fairness) {
            this.self = self;
            this.fairness = fairness;
        }

        static Behavior<Object> behavior(Fairness fairness) {
            return Behaviors.setup(context -> Behaviors.receiveMessage(new Hog(context.getSelf(), fairness)::receive));
        }

        private Behavior<Object> receive(Object message) {
            if (!started) {
                started = true;
                fairness.hogStarted();
            }
            if (fairness.hogTurn()) {
                self.tell(message);
                return Behaviors.same();
            }
            return Behaviors.stopped();
        }
    }
}
