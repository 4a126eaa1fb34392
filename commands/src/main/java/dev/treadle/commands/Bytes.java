// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Bytes that do not change: a body, the content of a file, the output of a program. */
public final class Bytes {
    /** No bytes. */
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] array;

    private Bytes(byte[] array) {
        this.array = array;
    }

    /** Returns a copy of these bytes. */
    public static Bytes of(byte... bytes) {
        Objects.requireNonNull(bytes, "bytes is null: use Bytes.EMPTY for none");
        return bytes.length == 0 ? EMPTY : new Bytes(bytes.clone());
    }

    /** Returns a text in UTF-8. */
    public static Bytes of(String text) {
        Objects.requireNonNull(text, "text is null: use Bytes.EMPTY for none");
        return new Bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Takes an array that nobody else will write to. */
    static Bytes own(byte[] array) {
        return new Bytes(array);
    }

    /** Returns how many there are. */
    public int size() {
        return array.length;
    }

    /** Returns whether there are none. */
    public boolean isEmpty() {
        return array.length == 0;
    }

    /** Returns them as a text in UTF-8. */
    public String text() {
        return text(StandardCharsets.UTF_8);
    }

    /** Returns them as a text. */
    public String text(Charset charset) {
        return new String(array, charset);
    }

    /** Returns a copy of them. */
    public byte[] toArray() {
        return array.clone();
    }

    /** Returns a view of them that can be read only. */
    public ByteBuffer asBuffer() {
        return ByteBuffer.wrap(array).asReadOnlyBuffer();
    }

    /** The bytes themselves, for code that only reads them. */
    byte[] array() {
        return array;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Bytes bytes && Arrays.equals(array, bytes.array);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(array);
    }

    /** Says how many they are, not what they are: they may be many, or secret. */
    @Override
    public String toString() {
        return "Bytes[" + array.length + "]";
    }
}
