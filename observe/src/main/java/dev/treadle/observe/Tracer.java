// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Message;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.Signal;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the latest events of some processes, for the {@link Dashboard} to show. Wrap those that you want to look at:
 *
 * <pre>{@code
 * var tracer = new Tracer();
 * node.spawn(Spawn.of(() -> tracer.trace(new OrderBook())));
 * }</pre>
 *
 * <p>What is kept are words: topic, tag, and the payload's type, with its text only if it is a string or a number. A process
 * that is not wrapped costs nothing. One that is shows the wrapper as its type, and is not {@code Upgradable} even if what is
 * wrapped is.
 */
public final class Tracer {
    /** How many events of each process are kept. */
    public static final int EVENTS_MAX = 50;

    /** How many processes are traced at a time; what is wrapped beyond runs untraced. */
    public static final int PROCESSES_MAX = 1_000;

    private final ConcurrentMap<Pid, Trace> traces = new ConcurrentHashMap<>();

    /** Makes one that traces nothing yet. */
    public Tracer() {}

    /** Returns a process that does what the given one does, and is traced from its start to its end. */
    public Process trace(Process process) {
        return new TracedProcess(this, process);
    }

    /**
     * An event that a process got.
     *
     * @param time when its step had run
     * @param what the kind of event with topic or tag
     * @param detail the payload, the result or the reason, in words
     */
    public record Seen(Instant time, String what, String detail) {}

    /** Returns the latest events of a process, newest first; null if it is not traced. */
    public @Nullable List<Seen> events(Pid pid) {
        Trace trace = traces.get(pid);
        return trace == null ? null : trace.latest();
    }

    /** Begins a trace, or returns null if there are too many. */
    @Nullable
    Trace begin(Pid pid) {
        if (traces.size() >= PROCESSES_MAX) {
            return null;
        }
        var trace = new Trace();
        traces.put(pid, trace);
        return trace;
    }

    void end(Pid pid) {
        traces.remove(pid);
    }

    static Seen seen(Event event) {
        Instant now = Instant.now();
        if (event instanceof Message message) {
            String from = message.sender() == null ? "" : " from " + message.sender();
            return new Seen(
                    now,
                    (message.isRequest() ? "request \"" : "message \"") + Text.shortened(message.topic()) + '"' + from,
                    Text.describe(message.payload()));
        }
        if (event instanceof Completion completion) {
            Throwable error = completion.error();
            return new Seen(
                    now,
                    "completion of yield " + completion.tag(),
                    error == null ? Text.describe(completion.data()) : "failed: " + Text.describe(error));
        }
        Signal signal = (Signal) event;
        return new Seen(now, "signal " + signal.kind(), Text.shortened(signal.reason()));
    }

    /** The latest events of one process: written by its worker, read by anybody. */
    static final class Trace {
        private final ArrayDeque<Seen> latest = new ArrayDeque<>();

        synchronized void add(Seen seen) {
            if (latest.size() == EVENTS_MAX) {
                latest.removeLast();
            }
            latest.addFirst(seen);
        }

        synchronized List<Seen> latest() {
            return List.copyOf(latest);
        }
    }
}
