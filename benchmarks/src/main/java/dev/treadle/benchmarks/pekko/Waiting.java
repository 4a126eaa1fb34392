// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.pekko;

import dev.treadle.benchmarks.Fairness;
import dev.treadle.benchmarks.Peer;
import dev.treadle.benchmarks.RollCall;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Wakes;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.UntypedAbstractActor;

/** Processes that wait: idle-memory, wake-latency, fairness. */
final class Waiting {
    private static final Object WORK = "work";

    private Waiting() {}

    static Peer.Crowd crowd(ActorSystem system, int count) throws InterruptedException {
        var roll = new RollCall(count);
        Runnable here = roll::here; // one for all: it counts as memory
        Props props = PekkoPeer.props(OnMessage.class, () -> new OnMessage(here));
        var crowd = new ActorRef[count];
        for (int i = 0; i < count; i++) {
            crowd[i] = system.actorOf(props);
        }
        PekkoPeer.tell(crowd, WORK);
        roll.check();
        return () -> {
            roll.again();
            PekkoPeer.tell(crowd, WORK);
            roll.check();
        };
    }

    static Runnable sleeper(ActorSystem system, Wakes wakes) {
        ActorRef sleeper = PekkoPeer.start(system, OnMessage.class, () -> new OnMessage(wakes::turn));
        return () -> sleeper.tell(WORK, ActorRef.noSender());
    }

    static Runnable fairness(ActorSystem system, Fairness fairness) {
        ActorRef[] crowd =
                PekkoPeer.start(system, OnMessage.class, fairness.crowd(), i -> new OnMessage(fairness::ran));
        PekkoPeer.tell(PekkoPeer.start(system, Hog.class, Shape.HOGS, i -> new Hog(fairness)), WORK);
        return () -> PekkoPeer.tell(crowd, WORK);
    }

    private static final class OnMessage extends UntypedAbstractActor {
        private final Runnable action;

        OnMessage(Runnable action) {
            this.action = action;
        }

        @Override
        public void onReceive(Object message) {
            action.run();
        }
    }

    private static final class Hog extends UntypedAbstractActor {
        private final Fairness fairness;
        private boolean started;

        Hog(Fairness fairness) {
            this.fairness = fairness;
        }

        @Override
        public void onReceive(Object message) {
            if (!started) {
                started = true;
                fairness.hogStarted();
            }
            if (fairness.hogTurn()) {
                getSelf().tell(message, ActorRef.noSender());
            } else {
                getContext().stop(getSelf());
            }
        }
    }
}
