// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.EventStack.Push;
import dev.treadle.relay.Delivery;
import dev.treadle.relay.Envelope;
import dev.treadle.relay.Receiver;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Brings events to the processes of a scheduler, wakes those that sleep, and accounts for what does not arrive. */
class Routing {
    private final Scheduler scheduler;
    private final SchedulerConfig config;
    private final Listeners listeners;
    private final @Nullable Receiver relay;
    private final LongAdder messagesOutside = new LongAdder();
    private final LongAdder deadLetters = new LongAdder();
    private final LongAdder lateAnswers = new LongAdder();

    /**
     * Whether anything here carries attributes. Plain: it is set before the first such process or message is published,
     * and whoever has to do with either has it from a queue, and so sees this too.
     */
    private boolean usesAttributes;

    Routing(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.config = scheduler.config;
        this.listeners = scheduler.listeners;
        this.relay = config.relay();
    }

    // Messages.

    /** Any thread: a message that comes in an envelope. */
    Delivery send(Envelope envelope) {
        Objects.requireNonNull(envelope, "envelope is null: use Envelope.to(pid, topic, payload)");
        carries(envelope.attributes());
        if (envelope.replyTo() != null) {
            var request = new Request.OfEnvelope(envelope, envelope.replyTo());
            return request(envelope.target(), envelope.payload(), request);
        }
        return route(envelope.target(), message(envelope), currentWorker());
    }

    private static Message message(Envelope envelope) {
        return envelope.attributes().isEmpty()
                ? Message.of(envelope.topic(), envelope.payload(), envelope.sender())
                : Message.from(
                        new Origin.Carrying(envelope.sender(), envelope.attributes()),
                        envelope.topic(),
                        envelope.payload());
    }

    /** Any thread: from the process whose code it runs, or from outside. */
    Delivery send(Pid target, String topic, @Nullable Object payload) {
        Worker worker = currentWorker();
        return route(target, message(worker, topic, payload), worker);
    }

    /** Any thread: from the process whose code it runs, or from outside. */
    Delivery send(ProcessCell target, String topic, @Nullable Object payload) {
        Worker worker = currentWorker();
        return deliver(target, message(worker, topic, payload), worker);
    }

    /** Any thread that has the context of a process. */
    Delivery send(ProcessCell sender, Pid target, String topic, @Nullable Object payload) {
        Worker worker = currentWorker();
        return route(target, message(sender, worker, topic, payload), worker);
    }

    private Message message(@Nullable Worker worker, String topic, @Nullable Object payload) {
        ProcessCell sender = worker == null ? null : worker.running();
        return sender == null ? Message.of(topic, payload) : message(sender, worker, topic, payload);
    }

    private Message message(ProcessCell sender, @Nullable Worker worker, String topic, @Nullable Object payload) {
        if (usesAttributes) {
            Map<String, Object> carried = carriedBy(sender, worker);
            if (carried != sender.attributes()) {
                return Message.from(new Origin.Carrying(sender, carried), topic, payload);
            }
        }
        return Message.from(sender, topic, payload);
    }

    /** Any thread: a message that somebody waits for a reply to. */
    Delivery request(Pid target, @Nullable Object payload, Request request) {
        Message message = Message.from(request, request.topic, payload);
        ProcessCell cell = find(target);
        return cell == null ? routeElsewhere(target, message) : request(cell, message);
    }

    /** Any thread: a message that somebody waits for a reply to. */
    Delivery request(ProcessCell target, Message message) {
        target.looksAtMessages();
        return deliver(target, message, currentWorker());
    }

    /** The timer's thread: a message of a process to itself, also while the scheduler shuts down; false if it has ended. */
    boolean sendFromTimer(ProcessCell cell, Message message) {
        return push(cell, message, null) != Delivery.NO_SUCH_PROCESS;
    }

    /** The submitter, before anybody else can send: a message that is there before the first step. */
    void sendAtStart(ProcessCell cell, @Nullable ProcessCell sender, Message message) {
        Message own = sender == null
                ? Message.of(message.topic(), message.payload())
                : message(sender, currentWorker(), message.topic(), message.payload());
        push(cell, own, currentWorker());
    }

    private Delivery route(Pid target, Message message, @Nullable Worker worker) {
        Objects.requireNonNull(target, "target is null: give the Pid of the receiver");
        ProcessCell cell = find(target);
        if (cell != null) {
            return deliver(cell, message, worker);
        }
        return routeElsewhere(target, message);
    }

    /** A message to a process that was not found here; it is not looked for again, it may have started meanwhile. */
    private Delivery routeElsewhere(Pid target, Message message) {
        if (relay != null && !isHere(target)) {
            return pass(relay, envelope(target, message));
        }
        deadLetter(target, message, DeadLetter.Reason.NO_SUCH_PROCESS);
        return Delivery.NO_SUCH_PROCESS;
    }

    private Delivery pass(Receiver relay, Envelope envelope) {
        try {
            return Objects.requireNonNull(relay.send(envelope), "the relay returned null, must say what became of it");
        } catch (RuntimeException e) {
            listeners.failed("the relay, which was given a message to " + envelope.target(), e);
            deadLetter(new DeadLetter(envelope, DeadLetter.Reason.NO_SUCH_PROCESS));
            return Delivery.NO_SUCH_PROCESS;
        }
    }

    Delivery deliver(ProcessCell target, Message message, @Nullable Worker worker) {
        if (worker != null) {
            worker.counters.messagesSent++;
        } else if (scheduler.isStopping()) {
            deadLetter(target, message, DeadLetter.Reason.STOPPING);
            return Delivery.STOPPING;
        } else {
            messagesOutside.increment();
        }
        return push(target, message, worker);
    }

    Delivery push(ProcessCell target, Message message, @Nullable Worker worker) {
        if (worker != null) {
            worker.queues.published = false; // here, not in schedule(): the stack may overflow on the way there
        }
        Push push = target.pushMessage(message, target.mailboxCapacity);
        if (push == Push.WAKE) {
            try {
                schedule(target, worker);
            } catch (StackOverflowError | OutOfMemoryError e) {
                if (worker != null && !worker.queues.published && worker.stranded.count < Stranded.MAX) {
                    worker.stranded.cells[worker.stranded.count++] = target; // no call: see Stranded
                }
                throw e;
            }
            return Delivery.DELIVERED;
        }
        if (push == Push.QUEUED) {
            return Delivery.DELIVERED;
        }
        if (push != Push.CROWDED) {
            return refuse(target, message, push);
        }
        if (worker != null) {
            worker.queues.crowds(worker.turns(), target);
        }
        return Delivery.DELIVERED;
    }

    final Delivery refuse(ProcessCell target, Message message, Push push) {
        if (push == Push.FULL) {
            deadLetter(target, message, DeadLetter.Reason.MAILBOX_FULL);
            return Delivery.MAILBOX_FULL;
        }
        deadLetter(target, message, DeadLetter.Reason.NO_SUCH_PROCESS);
        return Delivery.NO_SUCH_PROCESS;
    }

    // What is never refused while the process lives.

    /** Any thread: a completion, a signal or an order to end. */
    Delivery pushUrgent(ProcessCell cell, EventNode node) {
        Worker worker = currentWorker();
        if (worker != null) {
            worker.queues.published = false;
        }
        Push push = cell.pushUrgent(node);
        if (push == Push.WAKE) {
            try {
                schedule(cell, worker);
            } catch (StackOverflowError | OutOfMemoryError e) {
                if (worker != null && !worker.queues.published && worker.stranded.count < Stranded.MAX) {
                    worker.stranded.cells[worker.stranded.count++] = cell; // no call: see Stranded
                }
                throw e;
            }
        }
        return push == Push.CLOSED ? Delivery.NO_SUCH_PROCESS : Delivery.DELIVERED;
    }

    /** Any thread that woke a process: hands it to this thread's worker, or to all of them. */
    private void schedule(ProcessCell ready, @Nullable Worker worker) {
        if (worker == null) {
            scheduler.group.pushFromOutside(ready);
        } else {
            worker.wake(ready);
        }
    }

    // Who is who.

    /** The worker of this scheduler that the current thread is, or null. */
    @Nullable
    Worker currentWorker() {
        Worker worker = Worker.current();
        return worker != null && worker.scheduler == scheduler ? worker : null;
    }

    @Nullable
    ProcessCell find(Pid pid) {
        ProcessCell cell = pid.cell();
        if (cell != null && cell.scheduler == scheduler) {
            return cell;
        }
        cell = isHere(pid) ? scheduler.table.find(pid.id()) : null;
        return cell == null || cell.isUnborn() ? null : cell; // until its init returns only those it told can reach it
    }

    private boolean isHere(Pid pid) {
        return pid.node() == null && pid.host().equals(config.name());
    }

    // Attributes.

    /** Any thread, before it publishes something that carries these. */
    void carries(Map<String, Object> attributes) {
        if (!usesAttributes && !attributes.isEmpty()) {
            usesAttributes = true;
        }
    }

    boolean usesAttributes() {
        return usesAttributes;
    }

    /** Any thread: what goes along with something that a process does now. */
    Map<String, Object> carriedBy(ProcessCell cell) {
        return carriedBy(cell, currentWorker());
    }

    private static Map<String, Object> carriedBy(ProcessCell cell, @Nullable Worker worker) {
        return worker != null && worker.running() == cell ? worker.carried() : cell.attributes();
    }

    // What does not arrive.

    void deadLetter(ProcessCell target, Message message, DeadLetter.Reason reason) {
        deadLetter(target.self(), message, reason);
    }

    /** Any thread. */
    void deadLetter(DeadLetter letter) {
        deadLetters.increment();
        listeners.onDeadLetter(letter);
    }

    private void deadLetter(Pid target, Message message, DeadLetter.Reason reason) {
        deadLetters.increment();
        if (!listeners.isEmpty()) {
            listeners.onDeadLetter(new DeadLetter(envelope(target, message), reason));
        }
    }

    private static Envelope envelope(Pid target, Message message) {
        Request request = message.origin() instanceof Request waiting ? waiting : null;
        return new Envelope(
                target, message.sender(), message.topic(), message.payload(), message.attributes(), request);
    }

    /** Whoever ended a process that did not answer a request. */
    void failUnanswered(ProcessCell target, Request request) {
        if (!request.isOver()) {
            try {
                request.answer(null, AskFailedException.ended(target.self(), request.topic));
            } catch (Throwable thrown) {
                listeners.failed("who waits for the reply of " + target.self(), thrown);
            }
        }
    }

    void lateAnswer() {
        lateAnswers.increment();
    }

    long messagesOutside() {
        return messagesOutside.sum();
    }

    long deadLetters() {
        return deadLetters.sum();
    }

    long lateAnswers() {
        return lateAnswers.sum();
    }
}
