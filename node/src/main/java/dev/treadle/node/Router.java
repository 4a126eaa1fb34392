// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.DeadLetter;
import dev.treadle.Pid;
import dev.treadle.Scheduler;
import dev.treadle.relay.Delivery;
import dev.treadle.relay.Envelope;
import dev.treadle.relay.Receiver;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** Brings a message to the host, or to the attached receiver, that its address names; or says why not. */
final class Router {
    private static final System.Logger LOG = System.getLogger("dev.treadle.node");

    private final Node node;
    private final Map<String, Host> hosts;
    private final RightsCheck rights;

    /** Who takes the messages for a host name that is none of this node's. */
    private final ConcurrentMap<String, Receiver> byHost = new ConcurrentHashMap<>();

    /** Who takes the messages for another node. */
    private final ConcurrentMap<String, Receiver> byNode = new ConcurrentHashMap<>();

    Router(Node node, Map<String, Host> hosts, RightsCheck rights) {
        this.node = node;
        this.hosts = hosts;
        this.rights = rights;
    }

    void attach(String host, Receiver receiver) {
        Objects.requireNonNull(receiver, "receiver is null: give who takes the messages");
        if (hosts.containsKey(host) || byHost.putIfAbsent(host, receiver) != null) {
            throw new IllegalArgumentException("host \"" + host + "\" is taken on node \"" + node.name()
                    + "\": attach the receiver under another name");
        }
    }

    void detach(String host) {
        byHost.remove(host);
    }

    void attachNode(String other, Receiver receiver) {
        Objects.requireNonNull(receiver, "receiver is null: give who takes the messages");
        if (other.equals(node.name()) || byNode.putIfAbsent(other, receiver) != null) {
            throw new IllegalArgumentException("node \"" + other
                    + "\" is this one, or has a receiver already: give the name of another, or detach that first");
        }
    }

    void detachNode(String other) {
        byNode.remove(other);
    }

    Delivery send(Envelope envelope) {
        String problem = refusal(envelope);
        if (problem != null) {
            LOG.log(
                    node.level(Level.WARNING),
                    "message \"{0}\" to {1} was refused: {2}",
                    envelope.topic(),
                    envelope.target(),
                    problem);
            bury(envelope, DeadLetter.Reason.REFUSED); // first: who waits for a reply may be any code
            if (envelope.replyTo() != null) {
                envelope.replyTo().replyError(new NotAllowedException(problem)); // so that the asker knows why
            }
            return Delivery.REFUSED;
        }
        Pid target = envelope.target();
        Host host = hostOf(target);
        Scheduler scheduler = host == null ? null : host.schedulerOrNull();
        if (scheduler != null) {
            return scheduler.send(local(envelope));
        }
        Receiver receiver = isHere(target) ? byHost.get(target.host()) : byNode.get(target.node());
        if (receiver != null) {
            return receiver.send(envelope);
        }
        bury(envelope, DeadLetter.Reason.NO_SUCH_PROCESS);
        return Delivery.NO_SUCH_PROCESS;
    }

    /** Tells the listeners of the sender's host, or of any if it comes from outside. */
    private void bury(Envelope envelope, DeadLetter.Reason reason) {
        Host host = envelope.sender() == null ? null : hostOf(envelope.sender());
        Scheduler scheduler = host == null ? null : host.schedulerOrNull();
        for (Host any : hosts.values()) {
            scheduler = scheduler == null ? any.schedulerOrNull() : scheduler;
        }
        if (scheduler != null) {
            scheduler.deadLetter(new DeadLetter(envelope, reason));
        }
    }

    private @Nullable String refusal(Envelope envelope) {
        if (envelope.sender() == null) {
            return null;
        }
        Pid sender = local(envelope.sender());
        String from = sender.node() == null ? sender.host() : sender.node() + "@" + sender.host();
        String to = envelope.target().host();
        if (from.equals(to) && isHere(envelope.target())) {
            return null;
        }
        Host host = hostOf(envelope.target());
        if (host != null && !host.allowsSender(from)) {
            return "host \"" + to + "\" does not take messages from host \"" + from + "\": add it to allowSenders of \""
                    + to + "\"";
        }
        return rights.problem(envelope.attributes(), Permission.SEND, to);
    }

    private Envelope local(Envelope envelope) {
        Pid target = envelope.target();
        return target.node() == null
                ? envelope
                : new Envelope(
                        local(target),
                        envelope.sender(),
                        envelope.topic(),
                        envelope.payload(),
                        envelope.attributes(),
                        envelope.replyTo());
    }

    /** An address that names this node means a process here, and is the same without the name. */
    Pid local(Pid pid) {
        return pid.node() != null && pid.node().equals(node.name()) ? Pid.of(pid.host(), pid.id()) : pid;
    }

    private boolean isHere(Pid pid) {
        return pid.node() == null || pid.node().equals(node.name());
    }

    /** The host that a process is on, or null if that is none of this node. */
    @Nullable
    Host hostOf(Pid pid) {
        Objects.requireNonNull(pid, "pid is null: give the Pid of a process");
        return isHere(pid) ? hosts.get(pid.host()) : null;
    }
}
