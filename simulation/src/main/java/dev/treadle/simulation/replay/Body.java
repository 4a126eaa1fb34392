// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.time.Instant;

/** What a frame holds. */
sealed interface Body {
    /** The version of the format that this code writes, and the newest that it reads. */
    int VERSION = 1;

    /** In the place of the number of a life: no life's entry. */
    long HEADER = 0;

    long DROPS = -1;

    /**
     * The first frame of a file.
     *
     * @param run tells apart the lives of one recorder from those of another that wrote to the same folder
     * @param file the number of the file
     * @param at when it was begun
     * @param java the version of the JVM that wrote it
     */
    record Header(int version, long run, long file, Instant at, String java) implements Body {}

    /** How many entries the recorder has dropped up to here, of all processes. */
    record Drops(long entries) implements Body {}

    /**
     * One entry of a life.
     *
     * @param life the number of the life in its run, from 1
     * @param number the number of the entry in its life, from 0; one that is missing was dropped or damaged
     * @param position how many events of its step the process had gone to
     */
    record Of(long life, long number, int position, Entry entry) implements Body {}

    static void write(ByteOutput out, Header header) {
        out.number(HEADER);
        out.number(header.version());
        out.fixed64(header.run());
        out.number(header.file());
        out.instant(header.at());
        out.text(header.java());
    }

    static void write(ByteOutput out, Drops drops) {
        out.number(DROPS);
        out.number(drops.entries());
    }

    static void write(ByteOutput out, EntryFormat format, Of of) {
        out.number(of.life());
        out.number(of.number());
        out.number(of.position());
        format.write(out, of.entry());
    }

    static Body read(byte[] bytes) throws FormatException {
        var in = new ByteInput(bytes);
        long life = in.number();
        if (life == HEADER) {
            int version = (int) in.number();
            if (version != VERSION) {
                throw new FormatException("the file has format " + version + ", this version reads " + VERSION
                        + ": use the version of Treadle that wrote it");
            }
            return new Header(version, in.fixed64(), in.number(), in.instant(), in.text());
        }
        if (life == DROPS) {
            return new Drops(in.number());
        }
        return new Of(life, in.number(), (int) in.number(), EntryFormat.read(in));
    }
}
