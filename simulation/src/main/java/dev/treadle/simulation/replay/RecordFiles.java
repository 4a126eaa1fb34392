// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files of a recorder in its folder: a bounded number of them, each of a bounded size. One thread. */
final class RecordFiles implements AutoCloseable {
    private static final Pattern NAME = Pattern.compile("treadle-(\\d{8,18})\\.rec");
    private static final int BUFFER_BYTES = 1 << 16;

    private final Path folder;
    private final long run;
    private final long fileBytesMax;
    private final int filesMax;
    private final boolean keepsOldest;

    private final ByteOutput buffer = new ByteOutput();

    /** Where in the buffer each entry ends. */
    private final List<Integer> ends = new ArrayList<>();

    private @Nullable FileChannel channel;
    private @Nullable Path openFile;

    /** Of the open file: what is on disk. */
    private long bytesOnDisk;

    private long bytesInAll;

    RecordFiles(Path folder, long run, long fileBytesMax, int filesMax, boolean keepsOldest) {
        this.folder = folder;
        this.run = run;
        this.fileBytesMax = fileBytesMax;
        this.filesMax = filesMax;
        this.keepsOldest = keepsOldest;
    }

    /** Returns the files of a folder, the oldest first. */
    static List<Path> in(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> number(file) > 0)
                    .sorted((a, b) -> Long.compare(number(a), number(b)))
                    .toList();
        }
    }

    /** The number in the name of a file, or 0 if it is none of ours. */
    private static long number(Path file) {
        Matcher matcher = NAME.matcher(file.getFileName().toString());
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    }

    /**
     * Puts an entry where it will be written by the next flush, if not before. If it throws, the entry is not there.
     *
     * @return false if there is no more room, and the oldest are to be kept
     */
    boolean append(ByteOutput body) throws IOException {
        if (!appendMark(body)) {
            return false;
        }
        ends.add(buffer.size());
        return true;
    }

    /** The same for what is no entry, and may be lost without a count. */
    boolean appendMark(ByteOutput body) throws IOException {
        int length = Frames.HEAD_LENGTH + body.size();
        if (channel == null || bytesOnDisk + buffer.size() + length > fileBytesMax) {
            flush();
            if (!openNext()) {
                return false;
            }
        } else if (buffer.size() >= BUFFER_BYTES) {
            flush();
        }
        Frames.append(buffer, body);
        return true;
    }

    /** Writes what is buffered. If that fails, the file is cut where the last good entry ends, and left alone from then on. */
    void flush() throws IOException {
        FileChannel channel = this.channel;
        if (channel == null || buffer.size() == 0) {
            return;
        }
        ByteBuffer bytes = ByteBuffer.wrap(buffer.array(), 0, buffer.size());
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            giveUp(channel, e);
            throw e;
        }
        bytesOnDisk += buffer.size();
        bytesInAll += buffer.size();
        emptyBuffer();
    }

    /** Keeps the entries that are on disk as a whole. */
    private void giveUp(FileChannel channel, IOException e) {
        this.channel = null;
        try (channel) {
            long arrived = channel.size() - bytesOnDisk;
            int good = 0;
            while (!ends.isEmpty() && ends.get(0) <= arrived) {
                good = ends.remove(0);
            }
            bytesOnDisk += good;
            bytesInAll += good;
            channel.truncate(bytesOnDisk);
            if (bytesOnDisk == 0 && openFile != null) {
                deleteIfThere(openFile);
            }
        } catch (IOException also) {
            e.addSuppressed(also);
        }
    }

    /** After a failure: forgets what could not be written. Returns how many entries that was. */
    int discard() {
        int lost = ends.size();
        emptyBuffer();
        return lost;
    }

    private void emptyBuffer() {
        buffer.truncate(0);
        ends.clear();
    }

    private boolean openNext() throws IOException {
        closeFile();
        List<Path> files = new ArrayList<>(in(folder));
        if (keepsOldest && files.size() >= filesMax) {
            return false;
        }
        long next = files.isEmpty() ? 1 : number(files.get(files.size() - 1)) + 1;
        Path file = folder.resolve(String.format(Locale.ROOT, "treadle-%08d.rec", next));
        channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        openFile = file;
        bytesOnDisk = 0;
        buffer.raw(Frames.MAGIC);
        var body = new ByteOutput();
        Body.write(
                body,
                new Body.Header(
                        Body.VERSION,
                        run,
                        next,
                        Instant.now(),
                        Runtime.version().toString()));
        Frames.append(buffer, body);
        flush(); // before an old one is deleted: a disk that takes no new file must not cost the old ones
        while (files.size() >= filesMax) {
            deleteIfThere(files.remove(0));
        }
        return true;
    }

    private static void deleteIfThere(Path file) throws IOException {
        try {
            Files.delete(file);
        } catch (NoSuchFileException e) {
            // somebody else was tidy
        }
    }

    long bytes() {
        return bytesInAll;
    }

    private void closeFile() throws IOException {
        FileChannel channel = this.channel;
        this.channel = null;
        if (channel != null) {
            channel.close();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            flush();
        } finally {
            closeFile();
        }
    }
}
