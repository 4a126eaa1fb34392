// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Values in words, on one line. */
final class ValueText {
    static final int LENGTH_MAX = 200;

    private ValueText() {}

    static String of(Value value) {
        var text = new StringBuilder();
        append(text, value);
        return printable(text.length() <= LENGTH_MAX ? text.toString() : text.substring(0, LENGTH_MAX) + "…");
    }

    /** The class of what a value stands for. */
    static String type(Value value) {
        if (value instanceof Value.Scalar scalar) {
            Object object = scalar.value();
            return object == null ? "null" : object.getClass().getName();
        } else if (value instanceof Value.Bytes) {
            return "byte[]";
        } else if (value instanceof Value.Sequence sequence) {
            return sequence.type();
        } else if (value instanceof Value.Mapping mapping) {
            return mapping.type();
        } else if (value instanceof Value.Constant constant) {
            return constant.type();
        } else if (value instanceof Value.Structure structure) {
            return structure.type();
        } else if (value instanceof Value.Failure failure) {
            return failure.type();
        } else if (value instanceof Value.Serial serial) {
            return serial.type();
        } else if (value instanceof Value.Custom custom) {
            return custom.type();
        }
        return ((Value.Text) value).type();
    }

    private static void append(StringBuilder to, Value value) {
        if (to.length() > LENGTH_MAX) {
            return;
        }
        if (value instanceof Value.Scalar scalar) {
            to.append(scalar.value() instanceof String text ? quoted(text) : String.valueOf(scalar.value()));
        } else if (value instanceof Value.Bytes bytes) {
            to.append("byte[").append(bytes.bytes().length).append(']');
        } else if (value instanceof Value.Sequence sequence) {
            append(to, "[", sequence.items(), null, "]");
        } else if (value instanceof Value.Mapping mapping) {
            appendMap(to, mapping.keysAndValues());
        } else if (value instanceof Value.Constant constant) {
            to.append(constant.name());
        } else if (value instanceof Value.Structure structure) {
            append(to, simple(structure.type()) + "[", structure.values(), structure.names(), "]");
        } else if (value instanceof Value.Failure failure) {
            to.append(failure.type()).append(failure.message() == null ? "" : ": " + failure.message());
        } else if (value instanceof Value.Serial serial) {
            to.append(serial.text());
        } else if (value instanceof Value.Custom custom) {
            to.append(custom.text());
        } else if (value instanceof Value.Text text) {
            to.append(text.text());
        }
    }

    private static void append(
            StringBuilder to, String begin, List<Value> items, @Nullable List<String> names, String end) {
        to.append(begin);
        for (int i = 0; i < items.size() && to.length() <= LENGTH_MAX; i++) {
            to.append(i == 0 ? "" : ", ").append(names == null ? "" : names.get(i) + "=");
            append(to, items.get(i));
        }
        to.append(end);
    }

    private static void appendMap(StringBuilder to, List<Value> keysAndValues) {
        to.append('{');
        for (int i = 0; i < keysAndValues.size() && to.length() <= LENGTH_MAX; i += 2) {
            to.append(i == 0 ? "" : ", ");
            append(to, keysAndValues.get(i));
            to.append('=');
            append(to, keysAndValues.get(i + 1));
        }
        to.append('}');
    }

    private static String simple(String type) {
        return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
    }

    static String quoted(String text) {
        String shown = text.length() <= LENGTH_MAX ? text : text.substring(0, LENGTH_MAX) + "…";
        return '"' + shown.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** On one line, and nothing in it that a terminal obeys or an encoding refuses. */
    static String printable(String text) {
        var safe = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == '\n') {
                safe.append("\\n");
            } else if (Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE) {
                safe.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                safe.appendCodePoint(c);
            }
        });
        return safe.toString();
    }
}
