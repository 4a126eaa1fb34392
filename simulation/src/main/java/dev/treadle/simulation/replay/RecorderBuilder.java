// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Collects the settings of a {@link Recorder}; {@link #start} checks them all and starts it.
 *
 * <table>
 * <caption>Settings</caption>
 * <tr><th>setting</th><th>default</th></tr>
 * <tr><td>{@link #fileBytes}</td><td>64 MiB a file</td></tr>
 * <tr><td>{@link #files}</td><td>4 files</td></tr>
 * <tr><td>{@link #keepOldest}</td><td>no: the oldest file is deleted for a new one</td></tr>
 * <tr><td>{@link #capacity}</td><td>65,536 entries may wait for the writer</td></tr>
 * <tr><td>{@link #payloadBytes}</td><td>64 KiB a payload</td></tr>
 * <tr><td>{@link #only}</td><td>all processes that are given to {@code recording}</td></tr>
 * <tr><td>{@link #children}</td><td>no: what a recorded process spawns is not recorded</td></tr>
 * <tr><td>{@link #codec}</td><td>none but what is built in</td></tr>
 * </table>
 */
public final class RecorderBuilder {
    private static final long FILE_BYTES_MIN = 4 << 10;
    private static final long FILE_BYTES_MAX = 1 << 28;
    private static final int FILES_MAX = 10_000;
    private static final int CAPACITY_MIN = 1 << 10;
    private static final int CAPACITY_MAX = 1 << 24;
    private static final int PAYLOAD_BYTES_MIN = 128;

    /** An entry has at most three payloads, and some words. */
    private static final int PAYLOADS_PER_FILE = 8;

    private final Path folder;
    private long fileBytes = 64 << 20;
    private int files = 4;
    private boolean keepsOldest;
    private int capacity = 1 << 16;
    private int payloadBytes = 64 << 10;
    private Recorder.Choice choice = (context, method, input) -> true;
    private boolean children;
    private final List<PayloadCodec> codecs = new ArrayList<>();

    RecorderBuilder(Path folder) {
        this.folder = Objects.requireNonNull(folder, "folder is null: say where the recording goes");
    }

    /** Sets how large one file may become. */
    public RecorderBuilder fileBytes(long bytes) {
        this.fileBytes = bytes;
        return this;
    }

    /** Sets how many files there may be, those of earlier runs in the same folder included. */
    public RecorderBuilder files(int files) {
        this.files = files;
        return this;
    }

    /**
     * Keeps the oldest files, and stops when the room is used up. By default the oldest is deleted; of a process that began in
     * it, what is left can be read but not replayed.
     */
    public RecorderBuilder keepOldest() {
        this.keepsOldest = true;
        return this;
    }

    /** Sets how many entries may wait for the writer; what comes when there are more is dropped. */
    public RecorderBuilder capacity(int entries) {
        this.capacity = entries;
        return this;
    }

    /** Sets how many bytes one payload may take; a larger one is recorded as text. */
    public RecorderBuilder payloadBytes(int bytes) {
        this.payloadBytes = bytes;
        return this;
    }

    /** Sets which processes are recorded, of those that are given to {@code recording}. */
    public RecorderBuilder only(Recorder.Choice choice) {
        this.choice = Objects.requireNonNull(choice, "choice is null: leave it unset to record all");
        return this;
    }

    /** Records also what recorded processes spawn on their own scheduler, if it is chosen. */
    public RecorderBuilder children() {
        this.children = true;
        return this;
    }

    /** Adds a codec; those that were added first are asked first. */
    public RecorderBuilder codec(PayloadCodec codec) {
        codecs.add(Objects.requireNonNull(codec, "codec is null: leave it out"));
        return this;
    }

    /**
     * Starts the recorder.
     *
     * @throws IllegalArgumentException if a setting is invalid; the message names all that are
     * @throws IOException if the folder cannot be made, or another recorder writes to it
     */
    public Recorder start() throws IOException {
        var problems = new ArrayList<String>();
        check(
                problems,
                FILE_BYTES_MIN <= fileBytes && fileBytes <= FILE_BYTES_MAX,
                "fileBytes was " + fileBytes + ", must be " + FILE_BYTES_MIN + " to " + FILE_BYTES_MAX
                        + ": have more files instead of larger ones");
        check(
                problems,
                1 <= files && files <= FILES_MAX,
                "files was " + files + ", must be 1 to " + FILES_MAX + ": raise fileBytes instead");
        check(
                problems,
                CAPACITY_MIN <= capacity && capacity <= CAPACITY_MAX,
                "capacity was " + capacity + ", must be " + CAPACITY_MIN + " to " + CAPACITY_MAX
                        + ": leave it unset unless entries were dropped");
        check(
                problems,
                PAYLOAD_BYTES_MIN <= payloadBytes && payloadBytes <= fileBytes / PAYLOADS_PER_FILE,
                "payloadBytes was " + payloadBytes + ", must be " + PAYLOAD_BYTES_MIN + " to an eighth of fileBytes, "
                        + fileBytes / PAYLOADS_PER_FILE + ": lower it or raise fileBytes");
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("Invalid recorder settings:\n  " + String.join("\n  ", problems));
        }
        var recorder = new Recorder(this);
        recorder.start();
        return recorder;
    }

    private static void check(List<String> problems, boolean ok, String problem) {
        if (!ok) {
            problems.add(problem);
        }
    }

    Path folder() {
        return folder;
    }

    long bytesPerFile() {
        return fileBytes;
    }

    int filesMax() {
        return files;
    }

    boolean keepsOldest() {
        return keepsOldest;
    }

    int capacityEntries() {
        return capacity;
    }

    int payloadBytesMax() {
        return payloadBytes;
    }

    /** Half of a file: there is room for its header, and for another. */
    int entryBytesMax() {
        return (int) (fileBytes / 2);
    }

    Recorder.Choice choice() {
        return choice;
    }

    boolean recordsChildren() {
        return children;
    }

    List<PayloadCodec> codecs() {
        return List.copyOf(codecs);
    }
}
