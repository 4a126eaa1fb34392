// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Writes all that happens to chosen processes to files, so that a {@link Replay} can run them again: their events, what they
 * asked and were told, and what they did.
 *
 * <pre>{@code
 * try (Recorder recorder = Recorder.builder(Path.of("recordings")).start();
 *         Node node = Node.builder().define("orders:book", recorder.recording(OrderBook::new)).start()) {
 *     ...
 * }
 * }</pre>
 *
 * <p>No worker ever waits for it: entries are handed to one thread, and those that it has no time for are dropped, counted, and
 * missing in the file in a way that shows. The files are bounded in size and number.
 *
 * <p>Payloads are written a moment later, by that thread, so they must not be modified after they were sent, as is the rule
 * anyway. What a process does past its {@link ProcessContext}, with a service say, is not recorded.
 *
 * <p>Safe for use by many threads.
 */
public final class Recorder implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.treadle.simulation");
    private static final String LOCK_FILE = "treadle.lock";
    private static final Duration CLOSE_MAX = Duration.ofSeconds(30);

    private final Handover handover;
    private final RecordWriter writer;
    private final Thread thread;
    private final FileChannel lock;
    private final Choice choice;
    private final boolean children;
    private final AtomicLong lives = new AtomicLong();
    private final AtomicBoolean choiceFailed = new AtomicBoolean();

    /** Says which processes are recorded. */
    @FunctionalInterface
    public interface Choice {
        /**
         * Returns whether to record a process. The thread that starts the process, just before its {@code init}. If it throws, the
         * process is not recorded.
         *
         * @param context that of the process
         * @param method its entry point
         * @param input its arguments
         */
        boolean records(ProcessContext context, String method, Payloads input);
    }

    Recorder(RecorderBuilder settings) throws IOException {
        Path folder = settings.folder();
        Files.createDirectories(folder);
        this.lock = lock(folder);
        this.choice = settings.choice();
        this.children = settings.recordsChildren();
        this.handover = new Handover(settings.capacityEntries());
        var files = new RecordFiles(
                folder,
                ThreadLocalRandom.current().nextLong(),
                settings.bytesPerFile(),
                settings.filesMax(),
                settings.keepsOldest());
        var format = new EntryFormat(new ValueWriter(settings.codecs(), settings.payloadBytesMax()));
        this.writer = new RecordWriter(handover, files, format, settings.entryBytesMax());
        this.thread = new Thread(writer, "treadle-recorder");
        thread.setDaemon(true);
    }

    private static FileChannel lock(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // of this JVM
        }
        channel.close();
        throw new IOException("another recorder writes to " + folder + ": close it, or give each a folder of its own");
    }

    /** Returns a builder with the defaults set, for a recorder that writes to a folder. */
    public static RecorderBuilder builder(Path folder) {
        return new RecorderBuilder(folder);
    }

    void start() {
        thread.start();
    }

    /** Returns a process that does what this one does, and is recorded. Submit or spawn it in the place of the other. */
    public Process recording(Process process) {
        Objects.requireNonNull(process, "process is null: give the process to record");
        return RecordingProcess.around(this, process);
    }

    /** Returns what makes such processes, for a definition or a spawn. */
    public Supplier<Process> recording(Supplier<? extends Process> processes) {
        Objects.requireNonNull(processes, "processes is null: give what makes the processes to record");
        return () -> recording(processes.get());
    }

    boolean chooses(ProcessContext context, String method, Payloads input) {
        if (isClosed()) {
            return false;
        }
        try {
            return choice.records(context, method, input);
        } catch (RuntimeException e) {
            if (choiceFailed.compareAndSet(false, true)) {
                LOG.log(Level.WARNING, "recorder: the choice failed, the process is not recorded", e);
            }
            return false;
        }
    }

    boolean recordsChildren() {
        return children;
    }

    LifeLog newLife() {
        return new LifeLog(handover, lives.incrementAndGet());
    }

    boolean isClosed() {
        return handover.isClosed();
    }

    /** Returns what it has done so far. */
    public RecorderStats stats() {
        return new RecorderStats(lives.get(), writer.entries(), handover.dropped(), writer.bytes(), writer.failure());
    }

    /**
     * Writes what was handed over, and stops. Processes that were recorded live on without. Waits for the writer, but no longer
     * than 30 seconds: a codec or a disk may hang.
     *
     * @throws UncheckedIOException if the folder could not be let go
     */
    @Override
    public void close() {
        handover.close();
        if (!joins(CLOSE_MAX)) {
            LOG.log(Level.WARNING, "recorder: the writer hangs, what it has not written may be lost");
            return; // and the folder stays locked while it is there
        }
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the writer, also if interrupted: the file is worth it. */
    private boolean joins(Duration limit) {
        long start = System.nanoTime();
        boolean interrupted = false;
        while (thread.isAlive() && System.nanoTime() - start < limit.toNanos()) {
            try {
                thread.join(limit.toMillis());
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    @Override
    public String toString() {
        return "Recorder[" + stats() + "]";
    }
}
