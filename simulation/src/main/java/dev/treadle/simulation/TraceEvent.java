// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Message;
import dev.treadle.Pid;
import dev.treadle.Signal;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened in a simulation.
 *
 * @param number how many came before it, from 1
 * @param nanos when, in virtual time since the start
 * @param kind what
 * @param pid to which process, or null if to none
 * @param other with which other process, or null
 * @param details what exactly; shown by {@link #text()}
 * @param message the number of the message that was sent, or 0
 * @param received the numbers of the messages that the step gets
 */
public record TraceEvent(
        long number,
        long nanos,
        Kind kind,
        @Nullable Pid pid,
        @Nullable Pid other,
        List<@Nullable Object> details,
        long message,
        List<Long> received) {
    /** What happened. */
    public enum Kind {
        /** A process was started. */
        START,
        /** A message came into a mailbox. */
        SEND,
        /** A process is stepped, with these events. */
        STEP,
        /** A command was given to its handler. */
        COMMAND,
        /** A process ended. */
        END,
        /** A message reached nobody. */
        DEAD_LETTER,
        /** Something went wrong on purpose. */
        FAULT,
        /** Somebody wrote a note. */
        NOTE
    }

    private static final double NANOS_PER_SECOND = 1e9;

    /** Returns it as one line of text that is the same in every run. */
    public String text() {
        var line = new StringBuilder();
        line.append(number).append(' ').append(seconds()).append(' ');
        line.append(kind.name().toLowerCase(Locale.ROOT).replace('_', ' '));
        if (pid != null) {
            line.append(' ').append(pid);
        }
        if (other != null) {
            line.append(kind == Kind.COMMAND ? " to " : " from ").append(other);
        }
        for (Object detail : details) {
            line.append(' ').append(detail instanceof Event event ? event(event) : Render.value(detail));
        }
        return line.toString();
    }

    String seconds() {
        return String.format(Locale.ROOT, "%.6fs", nanos / NANOS_PER_SECOND);
    }

    String detailText() {
        var text = new StringJoiner(" ");
        for (Object detail : details) {
            text.add(detail instanceof Event event ? event(event) : Render.value(detail));
        }
        return text.toString();
    }

    private static String event(Event event) {
        if (event instanceof Message message) {
            String from = message.sender() == null ? "" : " from " + message.sender();
            return "[" + message.topic() + (message.payload() == null ? "" : " " + Render.value(message.payload()))
                    + from + (message.isRequest() ? ", request" : "") + "]";
        }
        if (event instanceof Completion completion) {
            Throwable error = completion.error();
            return "[completion " + completion.tag() + " "
                    + (error == null ? Render.value(completion.data()) : "failed: " + Render.value(error)) + "]";
        }
        if (event instanceof Signal signal) {
            return "[" + signal.kind().name() + (signal.from() == null ? "" : " of " + signal.from()) + "]";
        }
        return "[" + Render.name(event.getClass()) + "]";
    }

    @Override
    public String toString() {
        return text();
    }
}
