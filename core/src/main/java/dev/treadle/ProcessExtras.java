// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What only some processes have: random numbers, timers, requests to answer. Made when first needed, so that the others
 * pay one field for it. Owner of the process only.
 */
final class ProcessExtras implements ProcessTimers {
    private final ProcessCell cell;
    private @Nullable SplittableRandom random;
    private @Nullable TrackedList<MessageTimer> timers;
    private @Nullable TrackedList<Request> requests;

    ProcessExtras(ProcessCell cell) {
        this.cell = cell;
    }

    SplittableRandom random() {
        SplittableRandom random = this.random;
        if (random == null) {
            random = new SplittableRandom(cell.scheduler.config.seed() * 31 + cell.id);
            this.random = random;
        }
        return random;
    }

    @Override
    public ProcessTimer after(Duration delay, String topic, @Nullable Object payload) {
        long nanos = Durations.nanosFromZero("delay", delay);
        Objects.requireNonNull(topic, "topic is null: name what the message is about, or use an empty string");
        return start(MessageTimer.once(cell, topic, payload, cell.carried()), nanos);
    }

    @Override
    public ProcessTimer every(Duration period, String topic, @Nullable Object payload) {
        long nanos = Durations.positiveNanos("period", period);
        Objects.requireNonNull(topic, "topic is null: name what the messages are about, or use an empty string");
        return start(MessageTimer.periodic(cell, topic, payload, cell.carried(), nanos), nanos);
    }

    private MessageTimer start(MessageTimer timer, long nanos) {
        cell.checkOwner("set a timer");
        TrackedList<MessageTimer> timers = this.timers;
        if (timers == null) {
            timers = new TrackedList<>();
            this.timers = timers;
        }
        timers.add(timer);
        cell.looksAtMessages();
        cell.scheduler.timers.start(timer, nanos);
        return timer;
    }

    /** Sees to a message before the step gets it; false if the step must not get it. */
    boolean admit(Message message) {
        Origin origin = message.origin();
        if (origin instanceof Request request) {
            TrackedList<Request> requests = this.requests;
            if (requests == null) {
                requests = new TrackedList<>();
                this.requests = requests;
            }
            requests.add(request);
        } else if (origin instanceof MessageTimer timer) {
            if (timer.isCancelled()) {
                return false;
            }
            if (!timer.isPeriodic()) {
                forget(timer);
            }
        }
        return true;
    }

    void forget(MessageTimer timer) {
        if (timers != null) {
            timers.remove(timer);
        }
    }

    void forget(Request request) {
        if (requests != null) {
            requests.remove(request);
        }
    }

    /** How many timers are tracked, those that are over and were not swept yet included. */
    int timersTracked() {
        return timers == null ? 0 : timers.size();
    }

    /** How many requests are tracked, answered ones that were not swept yet included. */
    int requestsTracked() {
        return requests == null ? 0 : requests.size();
    }

    /** At an upgrade: the next process has its own random numbers, and its own timers unless it takes over the yields. */
    void upgrade(boolean keepsTimers) {
        random = null;
        if (!keepsTimers) {
            cancelTimers();
        }
    }

    /** At the end of the process. */
    void end() {
        cancelTimers();
        if (requests != null) {
            for (Request request : requests.takeAll()) {
                cell.scheduler.routing.failUnanswered(cell, request);
            }
        }
    }

    private void cancelTimers() {
        if (timers != null) {
            timers.takeAll().forEach(MessageTimer::cancel);
        }
    }
}
