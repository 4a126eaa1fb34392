// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads what {@link ByteOutput} wrote, and trusts none of it: a length is checked before anything is made of it. */
final class ByteInput {
    private final byte[] bytes;
    private int at;

    ByteInput(byte[] bytes) {
        this.bytes = bytes;
    }

    int left() {
        return bytes.length - at;
    }

    int next() throws FormatException {
        if (at == bytes.length) {
            throw new FormatException("the record ends early");
        }
        return bytes[at++] & 0xFF;
    }

    boolean flag() throws FormatException {
        int value = next();
        if (value > 1) {
            throw new FormatException("a flag was " + value + ", must be 0 or 1");
        }
        return value == 1;
    }

    long number() throws FormatException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int part = next();
            value |= (long) (part & 0x7F) << shift;
            if ((part & 0x80) == 0) {
                return value >>> 1 ^ -(value & 1);
            }
        }
        throw new FormatException("a number has more than 64 bits");
    }

    int fixed32() throws FormatException {
        return next() << 24 | next() << 16 | next() << 8 | next();
    }

    long fixed64() throws FormatException {
        return (long) fixed32() << 32 | (fixed32() & 0xFFFF_FFFFL);
    }

    Instant instant() throws FormatException {
        try {
            return Instant.ofEpochSecond(number(), number());
        } catch (DateTimeException | ArithmeticException e) {
            throw new FormatException("a time is out of range: " + e.getMessage());
        }
    }

    /** A number of things that take a byte each at least. */
    int count() throws FormatException {
        return count(number());
    }

    private int count(long count) throws FormatException {
        if (count < 0 || count > left()) {
            throw new FormatException("a length was " + count + ", but only " + left() + " bytes are left");
        }
        return (int) count;
    }

    byte[] bytes() throws FormatException {
        return raw(count());
    }

    private byte[] raw(int length) {
        byte[] part = Arrays.copyOfRange(bytes, at, at + length);
        at += length;
        return part;
    }

    String text() throws FormatException {
        long length = number();
        if (length >= 0) {
            return new String(raw(count(length)), StandardCharsets.UTF_8);
        }
        if (-1 - length > left() / 2) {
            throw new FormatException("a text of " + (-1 - length) + " chars, but only " + left() + " bytes are left");
        }
        var chars = new char[(int) (-1 - length)];
        for (int i = 0; i < chars.length; i++) {
            chars[i] = (char) (next() << 8 | next());
        }
        return new String(chars);
    }

    @Nullable
    String textOrNull() throws FormatException {
        return flag() ? text() : null;
    }
}
