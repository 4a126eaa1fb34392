// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.Pid;
import dev.treadle.Signal;
import dev.treadle.StepHarness.Next;
import dev.treadle.relay.Delivery;
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
import org.jspecify.annotations.Nullable;

/** Entries as bytes. A kind's number, and the order of its parts, stay as they are for as long as the format has its version. */
final class EntryFormat {
    private static final int BEGIN = 1;
    private static final int STEP_BEGIN = 2;
    private static final int CLOSE_BEGIN = 3;
    private static final int MESSAGE = 4;
    private static final int COMPLETION = 5;
    private static final int SIGNAL = 6;
    private static final int ANSWER = 7;
    private static final int SEND = 8;
    private static final int SPAWN = 9;
    private static final int REPLY = 10;
    private static final int TIMER_SET = 11;
    private static final int TIMER_CANCEL = 12;
    private static final int YIELD = 13;
    private static final int STEP_END = 14;
    private static final int RETURNED = 15;
    private static final int THREW = 16;
    private static final int TOO_LARGE = 17;
    private static final int NODE_CALL = 18;

    private final ValueWriter values;

    EntryFormat(ValueWriter values) {
        this.values = values;
    }

    void write(ByteOutput out, Entry entry) {
        if (entry instanceof Answer answer) {
            out.write(ANSWER);
            out.text(answer.question().name());
            out.number(answer.number());
            values.write(out, answer.object());
        } else if (entry instanceof Entry.Received received) {
            writeReceived(out, received);
        } else if (entry instanceof Entry.Deed deed) {
            writeDeed(out, deed);
        } else if (entry instanceof Yield yield) {
            out.write(YIELD);
            values.write(out, yield.command());
            out.number(yield.tag());
            out.number(yield.timeoutNanos());
        } else {
            writeFrame(out, entry);
        }
    }

    private void writeFrame(ByteOutput out, Entry entry) {
        if (entry instanceof StepBegin begin) {
            out.write(STEP_BEGIN);
            out.text(begin.pid().toString());
            out.number(begin.step());
            out.number(begin.firstEvent());
            out.number(begin.events());
        } else if (entry instanceof StepEnd end) {
            out.write(STEP_END);
            out.text(end.next().name());
            values.write(out, end.result());
            out.textOrNull(end.successor());
            out.textOrNull(end.method());
            values.write(out, end.input());
            out.flag(end.keepsYields());
        } else if (entry instanceof Begin begin) {
            out.write(BEGIN);
            out.text(begin.pid().toString());
            writePid(out, begin.parent());
            out.text(begin.type());
            out.text(begin.method());
            values.write(out, begin.input());
            values.write(out, begin.attributes());
            out.instant(begin.at());
        } else if (entry instanceof CloseBegin) {
            out.write(CLOSE_BEGIN);
        } else if (entry instanceof Returned) {
            out.write(RETURNED);
        } else if (entry instanceof Threw threw) {
            out.write(THREW);
            values.write(out, threw.error());
        } else if (entry instanceof TooLarge large) {
            out.write(TOO_LARGE);
            out.text(large.what());
        } else {
            throw new IllegalArgumentException("no format for " + entry);
        }
    }

    private void writeReceived(ByteOutput out, Entry.Received received) {
        if (received instanceof MessageIn message) {
            out.write(MESSAGE);
            out.text(message.topic());
            values.write(out, message.payload());
            writePid(out, message.sender());
            out.flag(message.isRequest());
            values.write(out, message.attributes());
        } else if (received instanceof CompletionIn completion) {
            out.write(COMPLETION);
            out.number(completion.tag());
            values.write(out, completion.data());
            values.write(out, completion.error());
            values.write(out, completion.attributes());
        } else if (received instanceof SignalIn signal) {
            out.write(SIGNAL);
            out.text(signal.kind().name());
            out.text(signal.reason());
            writePid(out, signal.from());
            values.write(out, signal.exit());
            out.number(signal.ref());
        }
    }

    private void writeDeed(ByteOutput out, Entry.Deed deed) {
        if (deed instanceof Send send) {
            out.write(SEND);
            out.text(send.target().toString());
            out.text(send.topic());
            values.write(out, send.payload());
            out.text(send.delivery().name());
        } else if (deed instanceof Spawn spawn) {
            out.write(SPAWN);
            out.text(spawn.type());
            out.text(spawn.method());
            values.write(out, spawn.input());
            values.write(out, spawn.attributes());
            writePid(out, spawn.child());
            values.write(out, spawn.error());
        } else if (deed instanceof Reply reply) {
            out.write(REPLY);
            out.number(reply.event());
            values.write(out, reply.payload());
            values.write(out, reply.error());
            out.flag(reply.accepted());
        } else if (deed instanceof TimerSet timer) {
            out.write(TIMER_SET);
            out.number(timer.number());
            out.flag(timer.periodic());
            out.number(timer.nanos());
            out.text(timer.topic());
            values.write(out, timer.payload());
        } else if (deed instanceof NodeCall call) {
            out.write(NODE_CALL);
            out.text(call.method());
            values.write(out, call.arguments());
            values.write(out, call.result());
            values.write(out, call.error());
        } else if (deed instanceof TimerCancel cancel) {
            out.write(TIMER_CANCEL);
            out.number(cancel.number());
        }
    }

    private static void writePid(ByteOutput out, @Nullable Pid pid) {
        out.textOrNull(pid == null ? null : pid.toString());
    }

    static Entry read(ByteInput in) throws FormatException {
        int kind = in.next();
        return switch (kind) {
            case BEGIN ->
                new Begin(
                        ValueReader.pid(in),
                        readPid(in),
                        in.text(),
                        in.text(),
                        ValueReader.read(in),
                        ValueReader.read(in),
                        in.instant());
            case STEP_BEGIN -> new StepBegin(ValueReader.pid(in), in.number(), in.number(), (int) in.number());
            case CLOSE_BEGIN -> new CloseBegin();
            case MESSAGE ->
                new MessageIn(in.text(), ValueReader.read(in), readPid(in), in.flag(), ValueReader.read(in));
            case COMPLETION ->
                new CompletionIn(in.number(), ValueReader.read(in), ValueReader.read(in), ValueReader.read(in));
            case SIGNAL ->
                new SignalIn(
                        constant(in, Signal.Kind.class), in.text(), readPid(in), ValueReader.read(in), in.number());
            case ANSWER -> new Answer(constant(in, Question.class), in.number(), ValueReader.read(in));
            case SEND -> new Send(ValueReader.pid(in), in.text(), ValueReader.read(in), constant(in, Delivery.class));
            case SPAWN ->
                new Spawn(
                        in.text(),
                        in.text(),
                        ValueReader.read(in),
                        ValueReader.read(in),
                        readPid(in),
                        ValueReader.read(in));
            case REPLY -> new Reply(in.number(), ValueReader.read(in), ValueReader.read(in), in.flag());
            case TIMER_SET -> new TimerSet(in.number(), in.flag(), in.number(), in.text(), ValueReader.read(in));
            case TIMER_CANCEL -> new TimerCancel(in.number());
            case YIELD -> new Yield(ValueReader.read(in), in.number(), in.number());
            case STEP_END ->
                new StepEnd(
                        constant(in, Next.class),
                        ValueReader.read(in),
                        in.textOrNull(),
                        in.textOrNull(),
                        ValueReader.read(in),
                        in.flag());
            case RETURNED -> new Returned();
            case THREW -> new Threw(ValueReader.read(in));
            case NODE_CALL -> new NodeCall(in.text(), ValueReader.read(in), ValueReader.read(in), ValueReader.read(in));
            case TOO_LARGE -> new TooLarge(in.text());
            default -> throw new FormatException("an entry of kind " + kind + " is not known to this version");
        };
    }

    private static @Nullable Pid readPid(ByteInput in) throws FormatException {
        return in.flag() ? ValueReader.pid(in) : null;
    }

    private static <E extends Enum<E>> E constant(ByteInput in, Class<E> type) throws FormatException {
        String name = in.text();
        try {
            return Enum.valueOf(type, name);
        } catch (IllegalArgumentException e) {
            throw new FormatException(name + " is no " + type.getSimpleName() + " that this version knows");
        }
    }
}
