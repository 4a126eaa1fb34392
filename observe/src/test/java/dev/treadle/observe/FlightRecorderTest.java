// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.Scheduler;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the flight recorder gets. */
class FlightRecorderTest {
    @TempDir
    Path folder;

    private List<RecordedEvent> of(Recording recording, String name) throws IOException {
        Path file = folder.resolve(name + ".jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("dev.treadle." + name))
                .toList();
    }

    private @Nullable RecordedEvent slowStep(Recording recording) throws IOException {
        return of(recording, "SlowStep").stream()
                .filter(event -> event.getString("stack").contains("CountDownLatch.await"))
                .findFirst()
                .orElse(null);
    }

    @Test
    void startsEndsDeadLettersAndSlowStepsAreRecordedWhenAskedFor() throws IOException {
        var held = new CountDownLatch(1);
        try (var recording = new Recording();
                Scheduler scheduler = Scheduler.builder()
                        .name("users")
                        .workers(1)
                        .slowStepLimit(Duration.ofMillis(20))
                        .listener(new FlightRecorderListener())
                        .start()) {
            recording.enable("dev.treadle.ProcessStart");
            recording.enable("dev.treadle.ProcessEnd");
            recording.start();
            scheduler.send(Pid.of("users", 99), "lost", "x");
            Pid slow = scheduler
                    .submit(
                            Process.of((events, out) -> {
                                held.await();
                                throw new IllegalStateException("broken");
                            }),
                            "main")
                    .pid();
            await().until(() -> slowStep(recording) != null); // with any other the machine was slow, not the step
            held.countDown();
            await().until(() -> scheduler.find(slow).isEmpty());

            RecordedEvent start = of(recording, "ProcessStart").get(0);
            RecordedEvent step = slowStep(recording);
            RecordedEvent letter = of(recording, "DeadLetter").get(0);
            assertThat(start.getString("pid")).isEqualTo(slow.toString());
            assertThat(start.getString("method")).isEqualTo("main");
            assertThat(step.getString("pid")).isEqualTo(slow.toString());
            assertThat(step.getDuration("elapsed")).isGreaterThanOrEqualTo(Duration.ofMillis(20));
            assertThat(letter.getString("target")).isEqualTo("{users|99}");
            assertThat(letter.getString("reason")).isEqualTo("NO_SUCH_PROCESS");
            await().untilAsserted(() -> assertThat(of(recording, "ProcessEnd"))
                    .singleElement()
                    .satisfies(end -> assertThat(end.getString("reason")).contains("broken"))
                    .satisfies(end -> assertThat(end.getString("kind")).isEqualTo("FAILED")));
        }
    }

    @Test
    void parksAndStealsAreRecordedWhenAskedFor() throws IOException {
        var ran = new CountDownLatch(32);
        try (var recording = new Recording();
                Scheduler scheduler = Scheduler.builder()
                        .workers(2)
                        .listener(new FlightRecorderListener())
                        .start()) {
            recording.enable("dev.treadle.Park");
            recording.enable("dev.treadle.StealBatch");
            recording.start();
            await().until(() -> scheduler.stats().total().parks() >= 2);
            Process maker = Process.of((events, out) -> {
                for (int i = 0; i < 32; i++) {
                    scheduler.submit(
                            Process.of((none, done) -> {
                                ran.countDown();
                                done.done();
                            }),
                            "main");
                }
                ran.await(); // so that another worker has to take them
                out.done();
            });
            scheduler.submit(maker, "main").result().join();

            await().untilAsserted(() -> assertThat(of(recording, "Park"))
                    .anyMatch(event -> event.getDuration("slept").toNanos() > 0));
            await().untilAsserted(() ->
                    assertThat(of(recording, "StealBatch")).anyMatch(event -> event.getInt("processes") > 0));
        }
    }

    @Test
    void startsAreNotRecordedUnlessAskedFor() throws IOException {
        try (var recording = new Recording();
                Scheduler scheduler = Scheduler.builder()
                        .listener(new FlightRecorderListener())
                        .start()) {
            recording.start();
            scheduler
                    .submit(Process.of((events, out) -> out.done()), "main")
                    .result()
                    .join();

            assertThat(of(recording, "ProcessStart")).isEmpty();
        }
    }

    @Test
    @SuppressWarnings("try") // open is all that it has to be
    void workersAreRecordedWhileSomebodyRecords() throws IOException {
        try (Scheduler scheduler = Scheduler.builder().name("users").workers(2).start();
                var recording = new Recording();
                var statistics = FlightRecorderStatistics.of(scheduler)) {
            recording.enable("dev.treadle.WorkerStatistics").withPeriod(Duration.ofMillis(100));
            recording.start();
            scheduler
                    .submit(Process.of((events, out) -> out.done()), "main")
                    .result()
                    .join();

            await().untilAsserted(() -> assertThat(of(recording, "WorkerStatistics"))
                    .anyMatch(event -> event.getString("host").equals("users") && event.getLong("steps") == 1));
            assertThat(of(recording, "WorkerStatistics").stream()
                            .mapToLong(event -> event.getLong("steps"))
                            .sum())
                    .as("each step is told once")
                    .isEqualTo(1);
        }
    }
}
