// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import java.util.Collection;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes one JSON value. One thread. */
final class JsonWriter {
    /*
     * By hand, so that an application that wants to be looked at need not take a JSON library of our choice. The tests read
     * what this writes with one.
     *
     * Besides what JSON asks for, it escapes what could end a script or a comment if somebody pastes the text into a page,
     * and replaces halves of surrogate pairs, which no UTF-8 can hold.
     */
    private final StringBuilder out = new StringBuilder(256);
    private boolean comma;

    /** Returns one object as text. */
    static String object(Consumer<JsonWriter> content) {
        var json = new JsonWriter();
        json.writeObject(content);
        return json.toString();
    }

    private void writeObject(Consumer<JsonWriter> content) {
        separate();
        out.append('{');
        comma = false;
        content.accept(this);
        out.append('}');
        comma = true;
    }

    private <T> void writeArray(Iterable<T> items, BiConsumer<JsonWriter, T> each) {
        separate();
        out.append('[');
        comma = false;
        for (T item : items) {
            each.accept(this, item);
        }
        out.append(']');
        comma = true;
    }

    private JsonWriter name(String name) {
        separate();
        quote(name);
        out.append(':');
        comma = false;
        return this;
    }

    private void separate() {
        if (comma) {
            out.append(',');
        }
        comma = true;
    }

    JsonWriter field(String name, @Nullable String value) {
        return name(name).item(value);
    }

    JsonWriter field(String name, long value) {
        name(name).raw(Long.toString(value));
        return this;
    }

    JsonWriter field(String name, double value) {
        name(name).number(value);
        return this;
    }

    JsonWriter field(String name, boolean value) {
        name(name).raw(Boolean.toString(value));
        return this;
    }

    JsonWriter field(String name, Consumer<JsonWriter> content) {
        name(name).writeObject(content);
        return this;
    }

    /** Writes an array of texts. */
    JsonWriter field(String name, Collection<String> values) {
        name(name).writeArray(values, JsonWriter::item);
        return this;
    }

    /** Writes an array of numbers, as whole ones: they are for charts. */
    JsonWriter field(String name, double[] values) {
        name(name).raw("[");
        for (int i = 0; i < values.length; i++) {
            out.append(i == 0 ? "" : ",").append(Math.round(values[i]));
        }
        out.append(']');
        return this;
    }

    /** Writes an array of objects. */
    <T> JsonWriter objects(String name, Iterable<T> items, BiConsumer<JsonWriter, T> content) {
        name(name).writeArray(items, (json, item) -> json.writeObject(object -> content.accept(object, item)));
        return this;
    }

    private JsonWriter item(@Nullable String value) {
        separate();
        if (value == null) {
            out.append("null");
        } else {
            quote(value);
        }
        return this;
    }

    private void number(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            raw("null"); // JSON has no word for it
        } else {
            raw(Double.toString(value));
        }
    }

    private void raw(String text) {
        separate();
        out.append(text);
    }

    private void quote(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                default -> {
                    if (Character.isHighSurrogate(c)
                            && i + 1 < text.length()
                            && Character.isLowSurrogate(text.charAt(i + 1))) {
                        out.append(c).append(text.charAt(++i));
                    } else if (Character.isSurrogate(c)) {
                        out.append('\ufffd');
                    } else if (isEscaped(c)) {
                        escape(c);
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    private static boolean isEscaped(char c) {
        return c < ' ' || c == '<' || c == '>' || c == '&' || c == '\'' || c == 0x7f || c == 0x2028 || c == 0x2029;
    }

    private void escape(char c) {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            out.append(Character.forDigit(c >> shift & 0xf, 16));
        }
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
