// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.Pid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Recorder} wrote. It is held in memory, about as large as the files. Nothing of it is run, and no class of the
 * user's is needed, to look at it.
 *
 * <pre>{@code
 * Recording recording = Recording.read(Path.of("recordings"));
 * System.out.println(recording.text());
 * RecordedLife life = recording.life(Pid.parse("{main|7}")).orElseThrow();
 * }</pre>
 */
public final class Recording {
    /** One recorder's run, and the number of a life in it. */
    private record Key(long run, long life) {}

    private static final long UNKNOWN_RUN = 0;

    private final List<Path> files;
    private final Map<Key, RecordedLife> lives = new LinkedHashMap<>();
    private final List<Damage> damage = new ArrayList<>();
    private final Map<Long, Long> droppedByRun = new LinkedHashMap<>();

    private Recording(List<Path> files) {
        this.files = files;
    }

    /**
     * Reads a recording.
     *
     * @param path the folder of a recorder, or one of its files
     * @throws IOException if there is none, or it cannot be read; damage within a file is passed over, and told by {@link #damage}
     */
    public static Recording read(Path path) throws IOException {
        List<Path> files = Files.isDirectory(path) ? RecordFiles.in(path) : List.of(path);
        if (files.isEmpty()) {
            throw new NoSuchFileException(path.toString(), null, "there are no recordings (treadle-*.rec) in it");
        }
        var recording = new Recording(files);
        for (Path file : files) {
            recording.add(file, Files.readAllBytes(file));
        }
        return recording;
    }

    private void add(Path file, byte[] bytes) throws IOException {
        var reading = new FileReading(file, bytes.length);
        Frames.scan(bytes, reading);
        if (reading.refused != null) {
            throw new IOException(file + " cannot be read: " + reading.refused.getMessage(), reading.refused);
        }
    }

    /** Takes apart one file. */
    private final class FileReading implements Frames.Visitor {
        private final Path file;
        private final int length;
        private long run = UNKNOWN_RUN;
        private @Nullable FormatException refused;

        FileReading(Path file, int length) {
            this.file = file;
            this.length = length;
        }

        @Override
        public void body(int offset, byte[] body) {
            try {
                long life = new ByteInput(body).number();
                if (life > 0) {
                    lives.computeIfAbsent(new Key(run, life), key -> new RecordedLife())
                            .add(body);
                } else if (Body.read(body) instanceof Body.Header header) {
                    run = header.run();
                } else if (Body.read(body) instanceof Body.Drops drops) {
                    droppedByRun.merge(run, drops.entries(), Math::max);
                }
            } catch (FormatException e) {
                if (run == UNKNOWN_RUN) {
                    refused = e;
                }
                damage.add(new Damage(
                        file, offset, offset + Frames.HEAD_LENGTH + body.length, String.valueOf(e.getMessage())));
            }
        }

        @Override
        public void damage(int from, int to) {
            damage.add(new Damage(
                    file,
                    from,
                    to,
                    to == length ? "the last record is torn; it was skipped" : "not a record; it was skipped"));
        }
    }

    /** Returns the lives of processes, in the order in which they began. */
    public List<RecordedLife> lives() {
        return List.copyOf(lives.values());
    }

    /** Returns the last life of a process: after an upgrade it has several. */
    public Optional<RecordedLife> life(Pid pid) {
        return lives.values().stream()
                .filter(life -> life.pid().equals(Optional.of(pid)))
                .reduce((earlier, later) -> later);
    }

    /** Returns what could not be read. */
    public List<Damage> damage() {
        return List.copyOf(damage);
    }

    /** Returns how many entries the recorder had to drop, of all processes. */
    public long dropped() {
        return droppedByRun.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns an overview, for people. */
    public String text() {
        var text = new StringBuilder();
        text.append(lives.size()).append(" processes in ").append(files.size()).append(" files");
        text.append(dropped() == 0 ? "" : ", " + dropped() + " entries dropped").append('\n');
        damage.forEach(each -> text.append("damaged: ").append(each).append('\n'));
        lives.values().forEach(life -> text.append(life).append('\n'));
        return text.toString();
    }

    @Override
    public String toString() {
        return "Recording[" + lives.size() + " processes, " + files.size() + " files, " + damage.size() + " damaged]";
    }
}
