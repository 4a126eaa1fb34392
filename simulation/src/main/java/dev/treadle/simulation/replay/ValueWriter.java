// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.simulation.replay.ByteOutput.TooLargeException;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes objects as {@link Value}s. Whatever it is given, it writes something, if only text: a payload must not be able to stop
 * a recording. One thread.
 */
final class ValueWriter {
    static final int TEXT_LENGTH_MAX = 500;
    static final int DEPTH_MAX = 50;

    private final List<PayloadCodec> codecs;
    private final int bytesMax;

    /**
     * @param codecs asked in this order, before what is built in
     * @param bytesMax how many bytes one value may take; a larger one is written as text
     */
    ValueWriter(List<PayloadCodec> codecs, int bytesMax) {
        this.codecs = List.copyOf(codecs);
        this.bytesMax = bytesMax;
    }

    void write(ByteOutput out, @Nullable Object object) {
        int start = out.size();
        int limitBefore = out.limit();
        out.limit((int) Math.min(limitBefore, (long) start + bytesMax));
        try {
            put(out, object, 0);
        } catch (TooLargeException e) {
            instead(out, start, limitBefore, object, "it takes more than " + bytesMax + " bytes");
        } catch (RuntimeException | Error e) { // of the payload's code, or a codec's
            instead(out, start, limitBefore, object, "writing it failed with " + name(e));
        } finally {
            out.limit(limitBefore);
        }
    }

    private static void instead(ByteOutput out, int start, int limit, @Nullable Object object, String why) {
        out.truncate(start);
        out.limit(limit);
        putText(out, object, why);
    }

    private void put(ByteOutput out, @Nullable Object object, int depth) {
        if (object == null) {
            out.write(ValueTags.NULL);
        } else if (depth == DEPTH_MAX) {
            putText(out, object, "it is nested deeper than " + DEPTH_MAX);
        } else if (!putCustom(out, object) && !putScalar(out, object) && !putNested(out, object, depth)) {
            putOther(out, object, depth);
        }
    }

    private boolean putCustom(ByteOutput out, Object object) {
        for (PayloadCodec codec : codecs) {
            if (codec.handles(object)) {
                try {
                    byte[] bytes = codec.encode(object);
                    out.write(ValueTags.CUSTOM);
                    out.text(codec.name());
                    out.text(object.getClass().getName());
                    out.bytes(bytes);
                    out.text(textOf(object));
                } catch (IOException e) {
                    putText(out, object, "codec \"" + codec.name() + "\" failed with " + name(e));
                }
                return true;
            }
        }
        return false;
    }

    private static boolean putScalar(ByteOutput out, Object object) {
        if (object instanceof String text) {
            out.write(ValueTags.STRING);
            out.text(text);
        } else if (object instanceof Boolean value) {
            out.write(value ? ValueTags.TRUE : ValueTags.FALSE);
        } else if (object instanceof Integer value) {
            putNumber(out, ValueTags.INT, value);
        } else if (object instanceof Long value) {
            putNumber(out, ValueTags.LONG, value);
        } else if (object instanceof Short value) {
            putNumber(out, ValueTags.SHORT, value);
        } else if (object instanceof Byte value) {
            putNumber(out, ValueTags.BYTE, value);
        } else if (object instanceof Character value) {
            putNumber(out, ValueTags.CHAR, value);
        } else if (object instanceof Double value) {
            out.write(ValueTags.DOUBLE);
            out.fixed64(Double.doubleToRawLongBits(value));
        } else if (object instanceof Float value) {
            out.write(ValueTags.FLOAT);
            out.fixed32(Float.floatToRawIntBits(value));
        } else if (object instanceof Pid pid) {
            out.write(ValueTags.PID);
            out.text(pid.toString());
        } else if (object instanceof Instant instant) {
            out.write(ValueTags.INSTANT);
            out.instant(instant);
        } else if (object instanceof Duration duration) {
            putNumber(out, ValueTags.DURATION, duration.getSeconds());
            out.number(duration.getNano());
        } else if (object instanceof byte[] bytes) {
            out.write(ValueTags.BYTES);
            out.bytes(bytes);
        } else if (object instanceof Enum<?> constant) {
            out.write(ValueTags.ENUM);
            out.text(constant.getDeclaringClass().getName());
            out.text(constant.name());
        } else {
            return false;
        }
        return true;
    }

    private static void putNumber(ByteOutput out, int tag, long value) {
        out.write(tag);
        out.number(value);
    }

    /** Collections of the JDK's only: one of somebody else's may be more than its elements. */
    private boolean putNested(ByteOutput out, Object object, int depth) {
        boolean ofJdk = object.getClass().getName().startsWith("java.util.");
        if (object instanceof List<?> list && ofJdk) {
            putSequence(out, Value.Kind.LIST, object.getClass(), list, depth);
        } else if (object instanceof Set<?> set && ofJdk) {
            putSequence(out, Value.Kind.SET, object.getClass(), set, depth);
        } else if (object instanceof Map<?, ?> map && ofJdk) {
            out.write(ValueTags.MAP);
            out.text(object.getClass().getName());
            Object[] entries = map.entrySet().toArray();
            out.number(entries.length);
            for (Object entry : entries) {
                put(out, ((Map.Entry<?, ?>) entry).getKey(), depth + 1);
                put(out, ((Map.Entry<?, ?>) entry).getValue(), depth + 1);
            }
        } else if (object instanceof Object[] array) {
            putSequence(out, Value.Kind.ARRAY, array.getClass().getComponentType(), Arrays.asList(array), depth);
        } else if (object instanceof Payloads payloads) {
            putSequence(out, Value.Kind.PAYLOADS, Payloads.class, payloads.asList(), depth);
        } else if (object instanceof Optional<?> optional) {
            List<?> content = optional.isPresent() ? List.of(optional.get()) : List.of();
            putSequence(out, Value.Kind.OPTIONAL, Optional.class, content, depth);
        } else {
            return false;
        }
        return true;
    }

    private void putSequence(ByteOutput out, Value.Kind kind, Class<?> type, Collection<?> items, int depth) {
        @Nullable Object[] copy = items.toArray();
        out.write(ValueTags.SEQUENCE);
        out.text(kind.name());
        out.text(type.getName());
        out.number(copy.length);
        for (Object item : copy) {
            put(out, item, depth + 1);
        }
    }

    private void putOther(ByteOutput out, Object object, int depth) {
        if (object instanceof Throwable thrown) {
            putFailure(out, thrown);
        } else if (object instanceof PayloadText text) {
            putText(out, text.type(), text.text(), text.why());
        } else if (object instanceof Record structure
                && RecordShape.of(object.getClass()).problem() == null) {
            putStructure(out, structure, depth);
        } else if (object instanceof Serializable && !object.getClass().isHidden()) {
            putSerial(out, object);
        } else if (object instanceof Record) {
            putText(
                    out,
                    object,
                    String.valueOf(RecordShape.of(object.getClass()).problem()));
        } else {
            putText(out, object, "it is neither a record nor serializable, and no codec handles it");
        }
    }

    private void putStructure(ByteOutput out, Record structure, int depth) {
        int start = out.size();
        RecordShape shape = RecordShape.of(structure.getClass());
        try {
            out.write(ValueTags.RECORD);
            out.text(structure.getClass().getName());
            out.number(shape.names().size());
            for (int i = 0; i < shape.names().size(); i++) {
                out.text(shape.names().get(i));
                put(out, shape.component(structure, i), depth + 1);
            }
        } catch (ReflectiveOperationException e) {
            out.truncate(start);
            putText(out, structure, "reading its components failed with " + name(e));
        }
    }

    private static void putSerial(ByteOutput out, Object object) {
        try {
            byte[] bytes = serialized(object, out.limit());
            out.write(ValueTags.SERIAL);
            out.text(object.getClass().getName());
            out.bytes(bytes);
            out.text(textOf(object));
        } catch (IOException e) {
            putText(out, object, "serializing it failed with " + name(e));
        }
    }

    private static void putFailure(ByteOutput out, Throwable thrown) {
        byte[] bytes;
        try {
            bytes = serialized(thrown, out.limit());
        } catch (IOException | RuntimeException e) {
            bytes = new byte[0]; // its type and message will have to do
        }
        out.write(ValueTags.FAILURE);
        out.text(thrown.getClass().getName());
        out.textOrNull(thrown.getMessage());
        out.bytes(bytes);
    }

    private static byte[] serialized(Object object, int limit) throws IOException {
        var bytes = new ByteOutput();
        bytes.limit(limit);
        try (var stream = new ObjectOutputStream(bytes)) {
            stream.writeObject(object);
        }
        return bytes.toBytes();
    }

    private static void putText(ByteOutput out, @Nullable Object object, String why) {
        putText(out, object == null ? "null" : object.getClass().getName(), textOf(object), why);
    }

    private static void putText(ByteOutput out, String type, String text, String why) {
        out.write(ValueTags.TEXT);
        out.text(type);
        out.text(text);
        out.text(why);
    }

    private static String textOf(@Nullable Object object) {
        try {
            String text = String.valueOf(object);
            return text.length() <= TEXT_LENGTH_MAX ? text : text.substring(0, TEXT_LENGTH_MAX) + "…";
        } catch (RuntimeException | Error e) {
            return "(its toString failed with " + name(e) + ")";
        }
    }

    private static String name(Throwable thrown) {
        return thrown.getClass().getName() + (thrown.getMessage() == null ? "" : ": " + thrown.getMessage());
    }
}
