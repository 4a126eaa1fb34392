// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.treadle.Events;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import dev.treadle.StepOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecorderTest {
    private static final int SMALL_FILE = 8 << 10;
    private static final int SMALL_PAYLOAD = 512;

    @TempDir
    Path folder;

    private static ProcessRef count(Scheduler scheduler, Process counter, int times) throws Exception {
        ProcessRef ref = scheduler.submit(counter, "main");
        for (int i = 0; i < times; i++) {
            ref.send("add", i);
        }
        ref.send("end", null);
        ref.result().get(30, TimeUnit.SECONDS);
        return ref;
    }

    private static Scheduler scheduler() {
        return Scheduler.builder().workers(2).start();
    }

    private long bytesInFolder() throws IOException {
        long bytes = 0;
        for (Path file : RecordFiles.in(folder)) {
            bytes += Files.size(file);
        }
        return bytes;
    }

    @Test
    void whenFilesAreFull_thenTheOldestGoesAndTheSizeStaysBoundedAndTheLatestReplays() throws Exception {
        var pids = new ArrayList<Pid>();
        try (Recorder recorder = Recorder.builder(folder)
                        .fileBytes(SMALL_FILE)
                        .files(3)
                        .payloadBytes(SMALL_PAYLOAD)
                        .start();
                Scheduler scheduler = scheduler()) {
            ProcessRef old = scheduler.submit(recorder.recording(new Counter()), "main");
            pids.add(old.pid());
            for (int life = 0; life < 30; life++) {
                old.send("add", life);
                pids.add(count(scheduler, recorder.recording(new Counter()), 50).pid());
            }
            await().atMost(Shop.TIMEOUT).until(() -> recorder.stats().entries() >= 30 * 100);
            assertThat(recorder.stats().bytes()).as("more than fits").isGreaterThan(3 * SMALL_FILE);
            assertThat(recorder.stats().dropped()).isZero();
        }

        assertThat(RecordFiles.in(folder)).hasSize(3).noneMatch(file -> file.endsWith("treadle-00000001.rec"));
        assertThat(bytesInFolder()).isBetween(2L * SMALL_FILE, 3L * SMALL_FILE);
        Recording recording = Recording.read(folder);
        assertThat(recording.damage()).isEmpty();
        assertThat(recording.life(pids.get(1))).isEmpty();
        RecordedLife old = recording.life(pids.get(0)).orElseThrow();
        assertThat(old.isReplayable()).as("its beginning was deleted").isFalse();
        assertThat(old.missing()).isPositive();
        ReplayReport last =
                Replay.of(recording.life(pids.get(30)).orElseThrow()).run(Counter::new);
        last.assertSame();
        assertThat(last.notes()).isEmpty();
        assertThat(last.events()).isEqualTo(51);
    }

    @Test
    void whenALifeGoesOverSeveralFiles_thenItReplaysWhole() throws Exception {
        Pid pid;
        try (Recorder recorder = Recorder.builder(folder)
                        .fileBytes(SMALL_FILE)
                        .files(100)
                        .payloadBytes(SMALL_PAYLOAD)
                        .start();
                Scheduler scheduler = scheduler()) {
            pid = count(scheduler, recorder.recording(new Counter()), 1_000).pid();
        }

        assertThat(RecordFiles.in(folder)).hasSizeGreaterThan(5);
        ReplayReport report = Replay.of(folder, pid).run(Counter::new);
        report.assertSame();
        assertThat(report.events()).isEqualTo(1_001);
        assertThat(report.notes()).isEmpty();
    }

    @Test
    void whenTheOldestAreKept_thenItStopsWhenTheRoomIsUsedUpAndCounts() throws Exception {
        Pid first;
        RecorderStats stats;
        try (Recorder recorder = Recorder.builder(folder)
                        .fileBytes(SMALL_FILE)
                        .files(2)
                        .payloadBytes(SMALL_PAYLOAD)
                        .keepOldest()
                        .start();
                Scheduler scheduler = scheduler()) {
            first = count(scheduler, recorder.recording(new Counter()), 20).pid();
            count(scheduler, recorder.recording(new Counter()), 1_000);
            await().atMost(Shop.TIMEOUT).until(() -> recorder.stats().dropped() > 0);
            stats = recorder.stats();
        }

        assertThat(stats.failure())
                .isEqualTo("the room is used up: give the recorder more files, or let it overwrite the oldest");
        assertThat(RecordFiles.in(folder)).hasSize(2).anyMatch(file -> file.endsWith("treadle-00000001.rec"));
        assertThat(bytesInFolder()).isLessThanOrEqualTo(2L * SMALL_FILE);
        Replay.of(folder, first).run(Counter::new).assertSame();
    }

    /** A codec that keeps the writer's thread busy stands for a slow disk. */
    private static final class SlowCodec implements PayloadCodec {
        final CountDownLatch reached = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);

        @Override
        public String name() {
            return "slow";
        }

        @Override
        public boolean handles(Object payload) {
            reached.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return false;
        }

        @Override
        public byte[] encode(Object payload) {
            throw new AssertionError("it handles nothing");
        }

        @Override
        public Object decode(String type, byte[] bytes) {
            throw new AssertionError("it handles nothing");
        }
    }

    @Test
    void whenTheWriterHangs_thenNoWorkerWaitsAndDropsAreCountedAndMarked() throws Exception {
        var slow = new SlowCodec();
        Pid pid;
        Recorder recorder = Recorder.builder(folder).capacity(1_024).codec(slow).start();
        try (Scheduler scheduler = scheduler()) {
            pid = count(scheduler, recorder.recording(new Counter()), 20_000).pid(); // ends while the writer hangs
            assertThat(slow.reached.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(recorder.stats().dropped()).isGreaterThan(20_000);
            slow.goOn.countDown();
            await().atMost(Shop.TIMEOUT).until(() -> recorder.stats().entries() > 0);
            count(scheduler, recorder.recording(new Counter()), 10); // takes the mark along
        } finally {
            slow.goOn.countDown();
            recorder.close();
        }
        RecorderStats stats = recorder.stats();

        Recording recording = Recording.read(folder);
        assertThat(recording.damage()).isEmpty();
        assertThat(recording.dropped()).as("marked in the file").isEqualTo(stats.dropped());
        RecordedLife life = recording.life(pid).orElseThrow();
        assertThat(life.entries()).hasSizeBetween(1, 1_100);
        ReplayReport report = Replay.of(life).run(Counter::new);
        report.assertSame();
        assertThat(report.events()).isLessThan(20_001);
        assertThat(recording.text()).contains(stats.dropped() + " entries dropped");
        recording.lives().stream()
                .reduce((a, b) -> b)
                .ifPresent(last -> Replay.of(last).run(Counter::new).assertSame());
    }

    @Test
    void whenAStepNeverReturns_thenItsEventsAreOnRecordAndTheReplayGoesIntoIt() throws Exception {
        var hang = new CountDownLatch(1);
        class Hanging implements Process {
            @Override
            public void init(ProcessContext context, String method, Payloads input) {}

            @Override
            public void step(Events events, StepOutput out) throws Exception {
                if (!events.isEmpty()) {
                    hang.await();
                    out.done();
                }
            }
        }
        try (Recorder recorder = Recorder.builder(folder).start();
                Scheduler scheduler = scheduler()) {
            ProcessRef hanging = scheduler.submit(recorder.recording(new Hanging()), "main");
            hanging.send("poison", 7);

            await().atMost(Shop.TIMEOUT)
                    .until(() -> Files.exists(folder.resolve("treadle-00000001.rec"))
                            && Recording.read(folder)
                                    .life(hanging.pid())
                                    .filter(life -> life.events() == 1)
                                    .isPresent());
            RecordedLife life = Recording.read(folder).life(hanging.pid()).orElseThrow();
            hang.countDown();
            hanging.result().get(30, TimeUnit.SECONDS);

            assertThat(life.text()).contains("#1  message \"poison\" 7");
            ReplayReport report = Replay.of(life).run(Hanging::new);
            assertThat(report.isSame()).as(report.text()).isTrue();
            assertThat(report.events()).isEqualTo(1);
            assertThat(report.notes())
                    .singleElement()
                    .asString()
                    .matches("the recording ends within step \\d, which had not returned");
        }
    }

    @Test
    void whenTheRecordingEndsWithinAStep_thenTheReplayEndsThereAndIsNoFailure() throws Exception {
        var hang = new CountDownLatch(1);
        class SendingLater implements Process {
            private ProcessContext context;

            @Override
            public void init(ProcessContext context, String method, Payloads input) {
                this.context = context;
            }

            @Override
            public void step(Events events, StepOutput out) throws Exception {
                if (!events.isEmpty()) {
                    hang.await();
                    context.send(context.self(), "not on record", null);
                    out.done();
                }
            }
        }
        try (Recorder recorder = Recorder.builder(folder).start();
                Scheduler scheduler = scheduler()) {
            ProcessRef hanging = scheduler.submit(recorder.recording(new SendingLater()), "main");
            hanging.send("poison", 7);
            await().atMost(Shop.TIMEOUT)
                    .until(() -> Files.exists(folder.resolve("treadle-00000001.rec"))
                            && Recording.read(folder)
                                    .life(hanging.pid())
                                    .filter(life -> life.events() == 1)
                                    .isPresent());
            RecordedLife life = Recording.read(folder).life(hanging.pid()).orElseThrow();
            hang.countDown();
            hanging.result().get(30, TimeUnit.SECONDS);

            ReplayReport report = Replay.of(life).run(SendingLater::new);
            assertThat(report.isSame()).as(report.text()).isTrue();
            assertThat(report.notes()).singleElement().asString().matches("the recording ends within step \\d");
        }
    }

    @Test
    void whenAProcessIsNotChosen_thenItRunsUnrecorded() throws Exception {
        try (Recorder recorder = Recorder.builder(folder)
                        .only((context, method, input) -> {
                            if (method.equals("bad")) {
                                throw new IllegalStateException("as asked");
                            }
                            return method.equals("yes");
                        })
                        .start();
                Scheduler scheduler = scheduler()) {
            for (String method : List.of("no", "yes", "bad")) {
                ProcessRef ref = scheduler.submit(recorder.recording(new Counter()), method);
                ref.send("add", 3);
                ref.send("end", null);
                assertThat(ref.result().get(30, TimeUnit.SECONDS)).isEqualTo(3L);
            }
        }

        assertThat(Recording.read(folder).lives())
                .singleElement()
                .satisfies(life -> assertThat(life.toString()).contains(", yes, begun "));
    }

    @Test
    void whenChildrenAreRecorded_thenWhatAProcessSpawnsIsToo() throws Exception {
        try (Recorder recorder = Recorder.builder(folder).children().start();
                Scheduler scheduler = Shop.open()) {
            Shop.live(scheduler, recorder.recording(new shop.Till()));
        }

        Recording recording = Recording.read(folder);
        assertThat(recording.lives())
                .extracting(life -> life.type().orElseThrow())
                .containsExactlyInAnyOrder("shop.Till", "shop.Till$Printer");
        Replay.of(recording.life(Pid.of("main", 2)).orElseThrow())
                .allow(Shop.TYPES)
                .run(shop.Till.Printer::new)
                .assertSame();
        Replay.of(recording.life(Pid.of("main", 1)).orElseThrow())
                .allow(Shop.TYPES)
                .run(shop.Till::new)
                .assertSame();
    }

    @Test
    void whenTheRecorderIsClosed_thenItsProcessesLiveOn() throws Exception {
        try (Scheduler scheduler = scheduler()) {
            ProcessRef ref;
            try (Recorder recorder = Recorder.builder(folder).start()) {
                ref = scheduler.submit(recorder.recording(new Counter()), "main");
                ref.send("add", 1);
            }
            ref.send("add", 2);
            ref.send("end", null);
            assertThat(ref.result().get(30, TimeUnit.SECONDS)).isEqualTo(3L);
        }
    }

    @Test
    void whenARecorderComesBackToItsFolder_thenItAddsAndTheRunsStayApart() throws Exception {
        for (int run = 0; run < 2; run++) {
            try (Recorder recorder = Recorder.builder(folder).start();
                    Scheduler scheduler = scheduler()) {
                count(scheduler, recorder.recording(new Counter()), 5 + run);
            }
        }

        Recording recording = Recording.read(folder);
        assertThat(RecordFiles.in(folder)).hasSize(2);
        assertThat(recording.lives()).extracting(RecordedLife::events).containsExactly(6L, 7L);
        recording.lives().forEach(life -> Replay.of(life).run(Counter::new).assertSame());
        assertThat(recording.life(Pid.of("main", 1)).orElseThrow().events())
                .as("the last of them")
                .isEqualTo(7);
    }

    @Test
    void whenAnotherRecorderHasTheFolder_thenTheSecondIsRefused() throws Exception {
        try (Recorder first = Recorder.builder(folder).start()) {
            assertThatThrownBy(() -> Recorder.builder(folder).start())
                    .isInstanceOf(IOException.class)
                    .hasMessage(
                            "another recorder writes to " + folder + ": close it, or give each a folder of its own");
            assertThat(first.stats().failure()).isNull();
        }
        Recorder.builder(folder).start().close();
    }

    @Test
    void whenSettingsAreWrong_thenAllOfThemAreNamed() {
        assertThatThrownBy(() -> Recorder.builder(folder)
                        .fileBytes(4_095)
                        .files(0)
                        .capacity(1_023)
                        .payloadBytes(127)
                        .start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fileBytes was 4095, must be 4096 to ")
                .hasMessageContaining("files was 0, must be 1 to ")
                .hasMessageContaining("capacity was 1023, must be 1024 to ")
                .hasMessageContaining("payloadBytes was 127, must be 128 to ");
        assertThatThrownBy(() -> Recorder.builder(folder)
                        .fileBytes(8_000)
                        .payloadBytes(1_001)
                        .start())
                .hasMessageContaining("an eighth of fileBytes, 1000");
    }

    @Test
    void whenRandomNumbersAreRecorded_thenTheyAreThoseOfTheProcess() {
        var drawn = new ArrayList<Question>();
        RandomGenerator plain = new SplittableRandom(7);
        RandomGenerator recorded =
                new RecordingRandom(new SplittableRandom(7), (question, number, object) -> drawn.add(question));

        assertThat(draws(recorded)).isEqualTo(draws(plain));
        assertThat(drawn).hasSize(18);
    }

    private static List<Object> draws(RandomGenerator random) {
        byte[] bytes = new byte[5];
        random.nextBytes(bytes);
        return List.of(
                List.of(bytes[0], bytes[4]),
                random.nextBoolean(),
                random.nextInt(),
                random.nextInt(10),
                random.nextInt(3, 9),
                random.nextLong(),
                random.nextLong(10),
                random.nextLong(3, 9),
                random.nextFloat(),
                random.nextFloat(2),
                random.nextFloat(1, 2),
                random.nextDouble(),
                random.nextDouble(2),
                random.nextDouble(1, 2),
                random.nextGaussian(),
                random.nextGaussian(3, 2),
                random.nextExponential(),
                random.ints(1).sum());
    }
}
