// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is full, for which a limit on the size of files stands in: the write of a JVM that has one fails half way. */
class RecorderDiskTest {
    private static final int LIMIT_KIB = 64;

    @TempDir
    Path folder;

    @Test
    @EnabledOnOs(OS.LINUX)
    void whenTheDiskTakesNoMore_thenProcessesGoOnAndTheFileIsWholeAndRecordingGoesOnWhenThereIsRoom() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var builder = new java.lang.ProcessBuilder(
                "bash",
                "-c",
                "ulimit -f " + LIMIT_KIB + " && exec \"$0\" \"$@\"",
                java,
                "-Xmx64m",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                Small.class.getName(),
                folder.toString());
        java.lang.Process small = builder.redirectErrorStream(true).start();
        String said = new String(small.getInputStream().readAllBytes(), UTF_8);
        assertThat(small.waitFor()).as(said).isZero();

        List<Path> files = RecordFiles.in(folder);
        Recording recording = Recording.read(folder);
        assertThat(files).as(said).hasSize(2);
        assertThat(files.get(0).toFile().length()).isBetween(1_000L, LIMIT_KIB * 1024L);
        assertThat(recording.damage()).as("cut where the last record ends").isEmpty();
        assertThat(recording.dropped()).isPositive();
        int entries = recording.lives().stream()
                .mapToInt(life -> life.entries().size())
                .sum();
        assertThat(said).contains("entries " + entries + ", dropped " + recording.dropped());
        List<RecordedLife> lives = recording.lives();
        ReplayReport first = Replay.of(lives.get(0)).run(Counter::new);
        first.assertSame();
        assertThat(first.events()).isLessThan(5_001);
        ReplayReport last = Replay.of(lives.get(lives.size() - 1)).run(Counter::new);
        last.assertSame();
        assertThat(last.events()).as("recorded when there was room again").isEqualTo(11);
        assertThat(last.notes()).isEmpty();
    }

    /** What runs with the limit. */
    static final class Small {
        private Small() {}

        public static void main(String[] args) throws Exception {
            Recorder recorder = Recorder.builder(Path.of(args[0])).start();
            try (Scheduler scheduler = Scheduler.builder().workers(1).start()) {
                count(scheduler, recorder, 5_000);
                await().atMost(Shop.TIMEOUT).until(() -> recorder.stats().dropped() > 0);
                check(String.valueOf(recorder.stats().failure()).contains("writing failed"), recorder);
                long entries = recorder.stats().entries();
                await().atMost(Shop.TIMEOUT).pollInterval(Duration.ofMillis(50)).until(() -> {
                    count(scheduler, recorder, 0); // the next file is tried when there is something to write
                    return recorder.stats().entries() != entries;
                });
                count(scheduler, recorder, 10);
            } finally {
                recorder.close();
            }
            RecorderStats stats = recorder.stats();
            System.out.println("entries " + stats.entries() + ", dropped " + stats.dropped());
        }

        private static void count(Scheduler scheduler, Recorder recorder, int times) throws Exception {
            ProcessRef ref = scheduler.submit(recorder.recording(new Counter()), "main");
            for (int i = 0; i < times; i++) {
                ref.send("add", i);
            }
            ref.send("end", null);
            ref.result().get(30, TimeUnit.SECONDS);
        }

        private static void check(boolean ok, Recorder recorder) {
            if (!ok) {
                throw new AssertionError(recorder);
            }
        }
    }
}
