// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.io.IOException;

/**
 * Writes payloads of some types to a recording, and reads them again, where what is built in will not do: for types that are
 * neither records nor serializable, or whose form in a file is settled elsewhere.
 *
 * <p>Built in are null, strings, boxed primitives, bytes, {@link dev.treadle.Pid}, enums, records, lists, sets, maps,
 * optionals, arrays, throwables, times, and whatever else is {@link java.io.Serializable}. A codec is asked before those, also
 * for what is inside a record or a list.
 *
 * <p><b>Threads.</b> {@code handles} and {@code encode} run on the recorder's thread, {@code decode} on the one that replays.
 */
public interface PayloadCodec {
    /** Returns the name by which a recording refers to this codec; do not change it, or old recordings cannot be read. */
    String name();

    /** Returns whether it writes this payload, which is not null. */
    boolean handles(Object payload);

    /**
     * Returns the payload as bytes.
     *
     * @throws IOException if it cannot be written; it is recorded as text then
     */
    byte[] encode(Object payload) throws IOException;

    /**
     * Returns the payload that bytes stand for. Its {@code equals} decides whether two payloads are the same.
     *
     * @param type the name of the class that it had
     * @param bytes what {@link #encode} returned
     * @throws IOException if it cannot be read; the replay goes on with its text then, and says so
     */
    Object decode(String type, byte[] bytes) throws IOException;
}
