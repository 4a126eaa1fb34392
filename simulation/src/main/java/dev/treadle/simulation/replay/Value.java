// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A payload as it stands in a recording: enough to show and to compare it, without any class of the user's. {@link
 * ValueWriter} makes one of an object, {@link ValueBuilder} makes the object again.
 */
@SuppressWarnings("ArrayRecordComponent") // nobody asks them for equals: that is ValueComparison's
sealed interface Value {
    /** What a {@link Sequence} was. */
    enum Kind {
        LIST,
        SET,
        ARRAY,
        PAYLOADS,
        OPTIONAL
    }

    /** Null, a boxed primitive, a string, a Pid, an Instant or a Duration. */
    record Scalar(@Nullable Object value) implements Value {}

    /** An array of bytes. */
    record Bytes(byte[] bytes) implements Value {}

    /** Things in a row; the type is that of the whole, for an array that of its elements. */
    record Sequence(Kind kind, String type, List<Value> items) implements Value {}

    /** A map: keys and values alternate. */
    record Mapping(String type, List<Value> keysAndValues) implements Value {}

    /** A constant of an enum. */
    record Constant(String type, String name) implements Value {}

    /** A Java record. */
    record Structure(String type, List<String> names, List<Value> values) implements Value {}

    /** What a throwable was; serialized too, if that was possible, else no bytes. */
    record Failure(String type, @Nullable String message, byte[] bytes) implements Value {}

    /** Anything else that is serializable, with what its toString said. */
    record Serial(String type, byte[] bytes, String text) implements Value {}

    /** What a {@link PayloadCodec} wrote. */
    record Custom(String codec, String type, byte[] bytes, String text) implements Value {}

    /** What nobody knows how to write: what its toString said, and why there is no more. */
    record Text(String type, String text, String why) implements Value {}

    /** Null. */
    Scalar NULL = new Scalar(null);
}
