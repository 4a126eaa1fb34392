// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** The outermost layer of a file: records that can be told from damage, and found again after it. */
final class Frames {
    /*
     *   file   = MAGIC frame*
     *   frame  = MARKER length checksum body      4 + 4 + 4 + length bytes, numbers big-endian
     *   checksum = CRC-32C of length and body
     *
     * A reader that finds no frame where one should be looks for the next MARKER whose frame has the right checksum. So damage
     * costs the frames that it touches, and a file that was cut off anywhere is good up to the cut. A body may well contain
     * the bytes of MARKER: a frame is only looked for where none was found. (So a whole frame inside of a payload would be taken
     * for an entry if the frame around it is damaged. Recordings of recordings are rare enough.)
     */
    static final byte[] MAGIC = "TREADLR1".getBytes(StandardCharsets.US_ASCII);
    static final int HEAD_LENGTH = 12;

    /** The first byte is in no UTF-8 text. */
    private static final byte[] MARKER = {(byte) 0xF7, 'T', 'r', 'd'};

    private Frames() {}

    /** Told what is in a file. */
    interface Visitor {
        void body(int offset, byte[] body);

        /** Bytes that are no frame, from one offset to another. */
        void damage(int from, int to);
    }

    /** Appends a frame with the first so many bytes of a body. */
    static void append(ByteOutput out, ByteOutput body) {
        var crc = new CRC32C();
        updateLength(crc, body.size());
        crc.update(body.array(), 0, body.size());
        out.raw(MARKER);
        out.fixed32(body.size());
        out.fixed32((int) crc.getValue());
        out.write(body.array(), 0, body.size());
    }

    private static void updateLength(CRC32C crc, int length) {
        crc.update(length >>> 24);
        crc.update(length >>> 16);
        crc.update(length >>> 8);
        crc.update(length);
    }

    /** Goes through the bytes of a file, from the first to the last. */
    static void scan(byte[] file, Visitor visitor) {
        int at = 0;
        int good = 0; // all before it was told
        if (file.length >= MAGIC.length && Arrays.equals(file, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            at = MAGIC.length;
            good = at;
        }
        while (at < file.length) {
            int length = frameAt(file, at);
            if (length < 0) {
                at++;
                continue;
            }
            if (good < at) {
                visitor.damage(good, at);
            }
            int bodyAt = at + HEAD_LENGTH;
            visitor.body(at, Arrays.copyOfRange(file, bodyAt, bodyAt + length));
            at = bodyAt + length;
            good = at;
        }
        if (good < file.length) {
            visitor.damage(good, file.length);
        }
    }

    /** Returns the length of the body of the frame that begins here, or -1 if none does. */
    private static int frameAt(byte[] file, int at) {
        if (file[at] != MARKER[0]
                || file.length - at < HEAD_LENGTH
                || !Arrays.equals(file, at, at + MARKER.length, MARKER, 0, MARKER.length)) {
            return -1;
        }
        int length = fixed32(file, at + MARKER.length);
        if (length < 0 || length > file.length - at - HEAD_LENGTH) {
            return -1;
        }
        var crc = new CRC32C();
        updateLength(crc, length);
        crc.update(file, at + HEAD_LENGTH, length);
        return fixed32(file, at + 2 * MARKER.length) == (int) crc.getValue() ? length : -1;
    }

    private static int fixed32(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 24
                | (bytes[at + 1] & 0xFF) << 16
                | (bytes[at + 2] & 0xFF) << 8
                | (bytes[at + 3] & 0xFF);
    }
}
