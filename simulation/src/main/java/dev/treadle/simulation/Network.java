// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import dev.treadle.relay.Delivery;
import dev.treadle.relay.Envelope;
import dev.treadle.relay.ReplyTo;
import dev.treadle.simulation.Choices.Kind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Carries messages between the nodes of a simulation: in order from one node to another, after a while, and sometimes not at
 * all.
 */
final class Network {
    /*
     * Each node knows the hosts of the others as attached receivers, so host names are unique in a simulation. A link goes
     * from one node to another. What is sent goes to the end of its queue, and an entry of the agenda takes the first of the
     * queue, whichever it was made for: so nothing overtakes.
     */
    private final Run run;
    private final Map<String, ArrayDeque<Runnable>> links = new HashMap<>();
    private final Set<String> cut = new HashSet<>();
    private long delayNanosMax = Duration.ofMillis(100).toNanos();

    Network(Run run) {
        this.run = run;
    }

    void delayMax(Duration most) {
        delayNanosMax = most.toNanos();
    }

    void partition(String a, String b) {
        cut.add(link(a, b));
        cut.add(link(b, a));
    }

    void heal(String a, String b) {
        cut.remove(link(a, b));
        cut.remove(link(b, a));
    }

    /** Makes the hosts of all other nodes reachable from one that has just been made, and its own from them. */
    void connect(SimulatedNode made) {
        for (SimulatedNode other : run.nodes.values()) {
            if (other != made && other.isUp()) {
                attach(made, other);
                attach(other, made);
            }
        }
    }

    private void attach(SimulatedNode from, SimulatedNode to) {
        for (String host : to.hostNames()) {
            from.node().detach(host);
            from.node().attach(host, envelope -> send(from, to, envelope));
        }
    }

    private Delivery send(SimulatedNode from, SimulatedNode to, Envelope envelope) {
        ReplyTo replyTo = envelope.replyTo();
        Envelope carried = replyTo == null
                ? envelope
                : new Envelope(
                        envelope.target(),
                        envelope.sender(),
                        envelope.topic(),
                        envelope.payload(),
                        envelope.attributes(),
                        new ReplyAcross(from, to, replyTo));
        carry(from, to, envelope.topic(), () -> {
            if (to.isUp()) {
                Delivery delivery = to.node().send(carried);
                ReplyTo back = carried.replyTo();
                if (!delivery.isDelivered() && back != null) {
                    back.replyError(new SimulatedFault("not delivered: " + delivery));
                }
            }
        });
        return Delivery.DELIVERED; // as far as the sender can know
    }

    private void carry(SimulatedNode from, SimulatedNode to, String what, Runnable delivery) {
        String link = link(from.name(), to.name());
        if (cut.contains(link)) {
            run.recording.add(TraceEvent.Kind.FAULT, null, what, "from", from.name(), "to", to.name(), "is cut off");
            return;
        }
        if (run.fault(Kind.NETWORK, run.faults.lossRate, 2) == 1) {
            run.recording.add(TraceEvent.Kind.FAULT, null, what, "from", from.name(), "to", to.name(), "is lost");
            return;
        }
        ArrayDeque<Runnable> queue = links.computeIfAbsent(link, name -> new ArrayDeque<>());
        queue.add(delivery);
        long delay = Delays.choose(run.choices, Kind.NETWORK, delayNanosMax);
        run.agenda.add(run.time.nanos() + delay, () -> {
            Runnable first = queue.poll();
            if (first != null && !cut.contains(link)) {
                first.run();
            }
        });
    }

    private static String link(String from, String to) {
        return from + " to " + to;
    }

    /** Brings a reply back over the network. */
    private final class ReplyAcross implements ReplyTo {
        private final SimulatedNode from;
        private final SimulatedNode to;
        private final ReplyTo replyTo;

        ReplyAcross(SimulatedNode from, SimulatedNode to, ReplyTo replyTo) {
            this.from = from;
            this.to = to;
            this.replyTo = replyTo;
        }

        @Override
        public boolean reply(@Nullable Object payload) {
            carry(to, from, "reply", () -> replyTo.reply(payload));
            return true;
        }

        @Override
        public boolean replyError(Throwable error) {
            carry(to, from, "reply", () -> replyTo.replyError(error));
            return true;
        }
    }
}
