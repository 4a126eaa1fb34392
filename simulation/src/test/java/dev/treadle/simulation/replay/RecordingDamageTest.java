// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.Pid;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files are cut and spoilt at every byte that matters. Catches: a reader that trusts a length, that stops at the first damage, that
 * takes a torn record for a whole one, or that does not tell.
 */
class RecordingDamageTest {
    @TempDir
    static Path folder;

    @TempDir
    Path spoilt;

    private static byte[] whole;
    private static final List<Integer> FRAMES = new ArrayList<>();
    private static Pid first;
    private static Pid second;

    /** Two lives, one after the other. */
    @BeforeAll
    static void record() throws Exception {
        try (Recorder recorder = Recorder.builder(folder).start();
                Scheduler scheduler = Scheduler.builder().workers(1).start()) {
            first = live(scheduler, recorder);
            second = live(scheduler, recorder);
        }
        whole = Files.readAllBytes(RecordFiles.in(folder).get(0));
        Frames.scan(whole, new Frames.Visitor() {
            @Override
            public void body(int offset, byte[] body) {
                FRAMES.add(offset);
            }

            @Override
            public void damage(int from, int to) {
                throw new AssertionError("the whole file is damaged");
            }
        });
    }

    private static Pid live(Scheduler scheduler, Recorder recorder) throws Exception {
        ProcessRef counter = scheduler.submit(recorder.recording(new Counter()), "main");
        for (int i = 1; i <= 3; i++) {
            counter.send("add", i);
        }
        counter.send("end", null);
        counter.result().get(30, TimeUnit.SECONDS);
        return counter.pid();
    }

    private Recording read(byte[] bytes) throws IOException {
        return Recording.read(Files.write(spoilt.resolve("treadle-00000001.rec"), bytes));
    }

    private static int entries(Recording recording) {
        return recording.lives().stream()
                .mapToInt(life -> life.entries().size())
                .sum();
    }

    @Test
    void whenNothingIsDamaged_thenBothLivesReplay() throws Exception {
        Recording recording = read(whole);

        assertThat(recording.damage()).isEmpty();
        assertThat(entries(recording)).as("all frames but the header").isEqualTo(FRAMES.size() - 1);
        for (Pid pid : List.of(first, second)) {
            ReplayReport report = Replay.of(recording.life(pid).orElseThrow()).run(Counter::new);
            report.assertSame();
            assertThat(report.notes()).isEmpty();
        }
        assertThat(recording.text()).startsWith("2 processes in 1 files\n").contains(first + " ", second + " ");
    }

    @Test
    void whenTheLastRecordIsTornAtAnyByte_thenItIsSkippedAndToldAndTheRestReplays() throws Exception {
        int last = FRAMES.get(FRAMES.size() - 1);
        for (int cut = last; cut < whole.length; cut++) {
            Recording recording = read(Arrays.copyOf(whole, cut));

            assertThat(entries(recording)).as("cut at %d", cut).isEqualTo(FRAMES.size() - 2);
            if (cut == last) {
                assertThat(recording.damage()).isEmpty();
            } else {
                Damage damage = recording.damage().get(0);
                assertThat(recording.damage()).hasSize(1);
                assertThat(damage.from()).isEqualTo(last);
                assertThat(damage.to()).isEqualTo(cut);
                assertThat(damage.what()).contains("the last record is torn");
                assertThat(recording.text()).contains("damaged: treadle-00000001.rec, bytes " + last + " to ");
            }
            Replay.of(recording.life(second).orElseThrow()).run(Counter::new).assertSame();
        }
    }

    @Test
    void whenTheFileIsCutAnywhere_thenAllRecordsBeforeTheCutAreRead() {
        for (int cut = 0; cut < whole.length; cut++) {
            int expected = 0;
            while (expected + 1 < FRAMES.size() && FRAMES.get(expected + 1) <= cut) {
                expected++;
            }
            var bodies = new int[1];
            Frames.scan(Arrays.copyOf(whole, cut), new Frames.Visitor() {
                @Override
                public void body(int offset, byte[] body) {
                    bodies[0]++;
                }

                @Override
                public void damage(int from, int to) {}
            });
            assertThat(bodies[0]).as("records before %d", cut).isEqualTo(expected);
        }
    }

    @Test
    void whenAnyByteInTheMiddleIsSpoilt_thenOnlyItsRecordIsLostAndTold() throws Exception {
        int victim = FRAMES.size() / 4; // of the first life
        int from = FRAMES.get(victim);
        int to = FRAMES.get(victim + 1);
        for (int at = from; at < to; at++) {
            byte[] bytes = whole.clone();
            bytes[at] ^= 0x55;

            Recording recording = read(bytes);

            assertThat(recording.damage()).as("byte %d", at).hasSize(1);
            assertThat(recording.damage().get(0).from()).isEqualTo(from);
            assertThat(recording.damage().get(0).to()).isEqualTo(to);
            RecordedLife hurt = recording.life(first).orElseThrow();
            assertThat(hurt.missing()).isEqualTo(1);
            assertThat(hurt.text()).contains("(1 entries are missing here)");
            ReplayReport report = Replay.of(hurt).run(Counter::new);
            report.assertSame();
            assertThat(report.notes())
                    .singleElement()
                    .asString()
                    .isEqualTo(
                            "the recording goes on, but the replay cannot: 1 entries are missing, they were dropped or"
                                    + " damaged");
            ReplayReport other = Replay.of(recording.life(second).orElseThrow()).run(Counter::new);
            other.assertSame();
            assertThat(other.notes()).isEmpty();
        }
    }

    @Test
    void whenTheBeginningOfALifeIsLost_thenItIsShownButNotReplayed() throws Exception {
        byte[] bytes = whole.clone();
        bytes[FRAMES.get(1) + 20] ^= 1;

        RecordedLife life = read(bytes).life(first).orElseThrow();

        assertThat(life.isReplayable()).isFalse();
        assertThat(life.type()).isEmpty();
        assertThat(life.toString()).contains("its beginning is lost");
        assertThatThrownBy(() -> Replay.of(life))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("its beginning is lost")
                .hasMessageContaining("keepOldest()");
    }

    @Test
    void whenRecordsAreTooLongOrOfAnotherVersion_thenTheFileIsRefusedWithTheReason() throws Exception {
        var body = new ByteOutput();
        body.number(Body.HEADER);
        body.number(Body.VERSION + 1);
        var file = new ByteOutput();
        file.raw(Frames.MAGIC);
        Frames.append(file, body);

        assertThatThrownBy(() -> read(file.toBytes()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the file has format 2, this version reads 1: use the version of Treadle");
    }

    @Test
    void whenThereIsNothingToRead_thenTheErrorSaysWhatWasLookedFor() {
        assertThatThrownBy(() -> Recording.read(spoilt))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("there are no recordings (treadle-*.rec) in it");
    }
}
