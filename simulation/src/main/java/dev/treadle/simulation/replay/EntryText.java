// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.Pid;
import dev.treadle.simulation.replay.Entry.Answer;
import dev.treadle.simulation.replay.Entry.Begin;
import dev.treadle.simulation.replay.Entry.CloseBegin;
import dev.treadle.simulation.replay.Entry.CompletionIn;
import dev.treadle.simulation.replay.Entry.MessageIn;
import dev.treadle.simulation.replay.Entry.NodeCall;
import dev.treadle.simulation.replay.Entry.Reply;
import dev.treadle.simulation.replay.Entry.Returned;
import dev.treadle.simulation.replay.Entry.Send;
import dev.treadle.simulation.replay.Entry.SignalIn;
import dev.treadle.simulation.replay.Entry.Spawn;
import dev.treadle.simulation.replay.Entry.StepBegin;
import dev.treadle.simulation.replay.Entry.StepEnd;
import dev.treadle.simulation.replay.Entry.Threw;
import dev.treadle.simulation.replay.Entry.TimerCancel;
import dev.treadle.simulation.replay.Entry.TimerSet;
import dev.treadle.simulation.replay.Entry.TooLarge;
import dev.treadle.simulation.replay.Entry.Yield;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Entries that were read, in words, on one line. */
final class EntryText {
    private EntryText() {}

    static String of(Entry entry) {
        return ValueText.printable(words(entry));
    }

    private static String words(Entry entry) {
        if (entry instanceof MessageIn in) {
            return (in.isRequest() ? "request " : "message ")
                    + ValueText.quoted(in.topic())
                    + content(in.payload())
                    + (in.sender() == null ? "" : " from " + in.sender());
        } else if (entry instanceof CompletionIn in) {
            return "completion of " + in.tag()
                    + (isNull(in.error()) ? ": " + value(in.data()) : ", failed: " + value(in.error()));
        } else if (entry instanceof SignalIn in) {
            return "signal " + in.kind() + ": " + in.reason() + from(in.from());
        } else if (entry instanceof Send send) {
            return "send to " + send.target() + " " + ValueText.quoted(send.topic()) + content(send.payload());
        } else if (entry instanceof Spawn spawn) {
            return "spawn " + spawn.type() + ", " + spawn.method() + " " + value(spawn.input());
        } else if (entry instanceof Reply reply) {
            return "reply to event " + reply.event()
                    + (isNull(reply.error()) ? ": " + value(reply.payload()) : ", failed: " + value(reply.error()));
        } else if (entry instanceof TimerSet timer) {
            return "timer " + timer.number() + (timer.periodic() ? " every " : " after ")
                    + Duration.ofNanos(timer.nanos()) + ": " + ValueText.quoted(timer.topic())
                    + content(timer.payload());
        } else if (entry instanceof NodeCall call) {
            return "node " + call.method() + " " + value(call.arguments());
        } else if (entry instanceof TimerCancel cancel) {
            return "cancel timer " + cancel.number();
        } else if (entry instanceof Yield yield) {
            return "yield " + value(yield.command()) + " with tag " + yield.tag()
                    + (yield.timeoutNanos() == 0 ? "" : " within " + Duration.ofNanos(yield.timeoutNanos()));
        } else if (entry instanceof Answer answer) {
            return answer.question().call + " gave "
                    + (isNull(answer.object()) ? String.valueOf(answer.number()) : value(answer.object()));
        }
        return frame(entry);
    }

    private static String frame(Entry entry) {
        if (entry instanceof Begin begin) {
            return "init of " + begin.type() + " as " + begin.pid() + ", " + begin.method() + " "
                    + value(begin.input());
        } else if (entry instanceof StepBegin begin) {
            return "step " + begin.step();
        } else if (entry instanceof StepEnd end) {
            return switch (end.next()) {
                case DONE -> "done with " + value(end.result());
                case UPGRADE ->
                    "upgrade to " + end.successor() + ", " + end.method() + " " + value(end.input())
                            + (end.keepsYields() ? ", keeping yields" : "");
                case AWAIT -> "await";
                case IDLE -> "idle";
                case AGAIN -> "again";
            };
        } else if (entry instanceof CloseBegin) {
            return "close";
        } else if (entry instanceof Returned) {
            return "returned";
        } else if (entry instanceof Threw threw) {
            return "threw " + value(threw.error());
        } else if (entry instanceof TooLarge large) {
            return "an entry that was too large to record: " + large.what();
        }
        return entry.toString();
    }

    private static String from(@Nullable Pid pid) {
        return pid == null ? "" : ", from " + pid;
    }

    private static String content(@Nullable Object payload) {
        return isNull(payload) ? "" : " " + value(payload);
    }

    static boolean isNull(@Nullable Object payload) {
        return payload == null || (payload instanceof Value.Scalar scalar && scalar.value() == null);
    }

    private static String value(@Nullable Object payload) {
        return payload instanceof Value value ? ValueText.of(value) : String.valueOf(payload);
    }
}
