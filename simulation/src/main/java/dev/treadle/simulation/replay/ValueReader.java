// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.Pid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads {@link Value}s. Loads no class and makes no object of the user's. */
final class ValueReader {
    private ValueReader() {}

    static Value read(ByteInput in) throws FormatException {
        return read(in, 0);
    }

    private static Value read(ByteInput in, int depth) throws FormatException {
        if (depth > ValueWriter.DEPTH_MAX) {
            throw new FormatException("a value is nested deeper than " + ValueWriter.DEPTH_MAX);
        }
        int tag = in.next();
        return switch (tag) {
            case ValueTags.NULL -> Value.NULL;
            case ValueTags.TRUE -> new Value.Scalar(true);
            case ValueTags.FALSE -> new Value.Scalar(false);
            case ValueTags.BYTE -> new Value.Scalar((byte) in.number());
            case ValueTags.SHORT -> new Value.Scalar((short) in.number());
            case ValueTags.CHAR -> new Value.Scalar((char) in.number());
            case ValueTags.INT -> new Value.Scalar((int) in.number());
            case ValueTags.LONG -> new Value.Scalar(in.number());
            case ValueTags.FLOAT -> new Value.Scalar(Float.intBitsToFloat(in.fixed32()));
            case ValueTags.DOUBLE -> new Value.Scalar(Double.longBitsToDouble(in.fixed64()));
            case ValueTags.STRING -> new Value.Scalar(in.text());
            case ValueTags.BYTES -> new Value.Bytes(in.bytes());
            case ValueTags.PID -> new Value.Scalar(pid(in));
            case ValueTags.INSTANT -> new Value.Scalar(in.instant());
            case ValueTags.DURATION -> new Value.Scalar(duration(in));
            case ValueTags.SEQUENCE -> new Value.Sequence(kind(in), in.text(), values(in, in.count(), depth));
            case ValueTags.MAP -> new Value.Mapping(in.text(), values(in, in.count() * 2, depth));
            case ValueTags.ENUM -> new Value.Constant(in.text(), in.text());
            case ValueTags.RECORD -> structure(in, depth);
            case ValueTags.FAILURE -> new Value.Failure(in.text(), in.textOrNull(), in.bytes());
            case ValueTags.SERIAL -> new Value.Serial(in.text(), in.bytes(), in.text());
            case ValueTags.CUSTOM -> new Value.Custom(in.text(), in.text(), in.bytes(), in.text());
            case ValueTags.TEXT -> new Value.Text(in.text(), in.text(), in.text());
            default -> throw new FormatException("a value of kind " + tag + " is not known to this version");
        };
    }

    private static Value structure(ByteInput in, int depth) throws FormatException {
        String type = in.text();
        int count = in.count();
        var names = new ArrayList<String>();
        var values = new ArrayList<Value>();
        for (int i = 0; i < count; i++) {
            names.add(in.text());
            values.add(read(in, depth + 1));
        }
        return new Value.Structure(type, names, values);
    }

    private static List<Value> values(ByteInput in, int count, int depth) throws FormatException {
        var values = new ArrayList<Value>();
        for (int i = 0; i < count; i++) {
            values.add(read(in, depth + 1));
        }
        return values;
    }

    static Pid pid(ByteInput in) throws FormatException {
        String text = in.text();
        try {
            return Pid.parse(text);
        } catch (IllegalArgumentException e) {
            throw new FormatException(String.valueOf(e.getMessage()));
        }
    }

    private static Duration duration(ByteInput in) throws FormatException {
        try {
            return Duration.ofSeconds(in.number(), in.number());
        } catch (ArithmeticException e) {
            throw new FormatException("a duration is out of range: " + e.getMessage());
        }
    }

    private static Value.Kind kind(ByteInput in) throws FormatException {
        String name = in.text();
        try {
            return Value.Kind.valueOf(name);
        } catch (IllegalArgumentException e) {
            throw new FormatException("a sequence of kind " + name + " is not known to this version");
        }
    }
}
