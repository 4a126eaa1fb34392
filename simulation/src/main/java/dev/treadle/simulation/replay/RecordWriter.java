// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.simulation.replay.Batch.Noted;
import dev.treadle.simulation.replay.ByteOutput.TooLargeException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The thread of a recorder: takes what workers handed over, and writes it. Code of the user's, in payloads and codecs, runs here. */
final class RecordWriter implements Runnable {
    /*
     * A file that fails is given up. What waits is dropped and counted until RETRY_NANOS later, when the next file is tried:
     * a full disk may have room again. When a file is open again, the first thing in it is how much was dropped.
     */
    private static final System.Logger LOG = System.getLogger("dev.treadle.simulation");
    private static final long RETRY_NANOS = 1_000_000_000;

    private final Handover handover;
    private final RecordFiles files;
    private final EntryFormat format;
    private final int entryBytesMax;
    private final ByteOutput body = new ByteOutput();

    private long dropsWritten;
    private long failedAtNanos;
    private boolean failing;
    private boolean full;

    // Read by others.
    private final AtomicLong entries = new AtomicLong();
    private volatile long bytes;
    private volatile @Nullable String failure;

    RecordWriter(Handover handover, RecordFiles files, EntryFormat format, int entryBytesMax) {
        this.handover = handover;
        this.files = files;
        this.format = format;
        this.entryBytesMax = entryBytesMax;
    }

    @Override
    public void run() {
        while (true) {
            Batch batch = handover.poll();
            if (batch != null) {
                write(batch);
            } else if (handover.isClosed()) {
                break;
            } else {
                flush();
                handover.await();
            }
        }
        flush();
        try {
            files.close();
        } catch (IOException e) {
            failed(e);
        }
        bytes = files.bytes();
    }

    private void write(Batch batch) {
        int size = batch.entries().size();
        int done = 0;
        if (!full && !isWaiting()) {
            try {
                writeDrops();
                while (done < size && append(batch, done)) {
                    done++;
                }
                failing = false;
            } catch (IOException e) {
                failed(e);
            } catch (RuntimeException | Error e) { // memory has run out, most likely: the thread must live
                tell("writing an entry failed", e);
            }
        }
        if (done < size) {
            handover.dropped(size - done);
        }
        bytes = files.bytes();
    }

    private boolean isWaiting() {
        return failing && System.nanoTime() - failedAtNanos < RETRY_NANOS;
    }

    private boolean append(Batch batch, int index) throws IOException {
        Noted noted = batch.entries().get(index);
        encode(batch, index, noted);
        if (!files.append(body)) {
            full = true;
            tell("the room is used up: give the recorder more files, or let it overwrite the oldest", null);
            return false;
        }
        entries.lazySet(entries.get() + 1);
        return true;
    }

    private void encode(Batch batch, int index, Noted noted) {
        long number = batch.first() + index;
        body.truncate(0);
        body.limit(entryBytesMax);
        try {
            Body.write(body, format, new Body.Of(batch.life(), number, noted.position(), noted.entry()));
        } catch (TooLargeException e) {
            body.truncate(0);
            Entry instead = new Entry.TooLarge(noted.entry().getClass().getSimpleName());
            Body.write(body, format, new Body.Of(batch.life(), number, noted.position(), instead));
        }
    }

    /** Marks in the file how many were dropped, if more were since the last time. */
    private void writeDrops() throws IOException {
        long dropped = handover.dropped();
        if (dropped == dropsWritten || full) {
            return;
        }
        body.truncate(0);
        Body.write(body, new Body.Drops(dropped));
        if (files.appendMark(body)) {
            dropsWritten = dropped;
        }
    }

    private void flush() {
        try {
            if (!isWaiting()) {
                writeDrops();
                files.flush();
            }
        } catch (IOException e) {
            failed(e);
        }
        bytes = files.bytes();
    }

    private void failed(IOException e) {
        dropsWritten = -1; // the mark may be among what is lost
        int lost = files.discard();
        failing = true;
        failedAtNanos = System.nanoTime();
        tell("writing failed", e);
        entries.lazySet(Math.max(0, entries.get() - lost));
        handover.dropped(lost); // last: who sees that something was dropped also sees why
    }

    private void tell(String what, @Nullable Throwable cause) {
        boolean first = failure == null;
        failure = cause == null ? what : what + ": " + cause;
        if (first) {
            LOG.log(Level.WARNING, "recorder: " + what + "; what cannot be written is dropped and counted", cause);
        }
    }

    long entries() {
        return entries.get();
    }

    long bytes() {
        return bytes;
    }

    @Nullable
    String failure() {
        return failure;
    }
}
