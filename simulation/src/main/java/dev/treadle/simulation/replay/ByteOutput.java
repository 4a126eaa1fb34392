// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Bytes that grow up to a limit. Small numbers take few bytes. One thread. */
final class ByteOutput extends OutputStream {
    private static final int START = 256;

    private byte[] bytes = new byte[START];
    private int size;
    private int limit = Integer.MAX_VALUE;

    /** Thrown one byte past the limit; whoever set the limit catches it. */
    static final class TooLargeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooLargeException() {
            super("past the limit", null, false, false);
        }
    }

    int size() {
        return size;
    }

    int limit() {
        return limit;
    }

    /** Sets how many bytes there may be in all. */
    void limit(int limit) {
        this.limit = limit;
    }

    /** Forgets what comes after the first so many. */
    void truncate(int size) {
        Objects.checkIndex(size, this.size + 1);
        this.size = size;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    byte[] array() {
        return bytes;
    }

    private void room(int more) {
        if (more > limit - size) {
            throw new TooLargeException();
        }
        if (more > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(size + more, (int) Math.min(limit, bytes.length * 2L)));
        }
    }

    @Override
    public void write(int value) {
        room(1);
        bytes[size++] = (byte) value;
    }

    @Override
    public void write(byte[] source, int offset, int length) {
        room(length);
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
    }

    void raw(byte[] source) {
        write(source, 0, source.length);
    }

    void flag(boolean value) {
        write(value ? 1 : 0);
    }

    /** Any number; near zero, of either sign, in one byte. */
    void number(long value) {
        unsigned(value << 1 ^ value >> 63);
    }

    private void unsigned(long value) {
        long left = value;
        while ((left & ~0x7FL) != 0) {
            write((int) ((left & 0x7F) | 0x80));
            left >>>= 7;
        }
        write((int) left);
    }

    void fixed32(int value) {
        write(value >>> 24);
        write(value >>> 16);
        write(value >>> 8);
        write(value);
    }

    void fixed64(long value) {
        fixed32((int) (value >>> 32));
        fixed32((int) value);
    }

    void instant(Instant value) {
        number(value.getEpochSecond());
        number(value.getNano());
    }

    void bytes(byte[] value) {
        number(value.length);
        raw(value);
    }

    /** Text as UTF-8, or char by char where UTF-8 would lose half of a pair. */
    void text(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        boolean whole = value.chars().noneMatch(c -> Character.isSurrogate((char) c))
                || new String(utf8, StandardCharsets.UTF_8).equals(value);
        if (whole) {
            bytes(utf8);
        } else {
            chars(value);
        }
    }

    private void chars(String value) {
        number(-1 - value.length());
        for (int i = 0; i < value.length(); i++) {
            write(value.charAt(i) >>> 8);
            write(value.charAt(i));
        }
    }

    void textOrNull(@Nullable String value) {
        flag(value != null);
        if (value != null) {
            text(value);
        }
    }
}
