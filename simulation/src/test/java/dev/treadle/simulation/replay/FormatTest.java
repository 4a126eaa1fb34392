// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Pid;
import dev.treadle.Signal;
import dev.treadle.StepHarness.Next;
import dev.treadle.relay.Delivery;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import shop.Till;
import shop.Till.Sale;

/**
 * Holds the format to files that were written once, on JDK 17, and are never written again: what was recorded yesterday must be read
 * tomorrow, and on a newer JDK. A change that this test refuses needs a new {@link Body#VERSION} and code that reads the old one.
 */
class FormatTest {
    private static final Path FIXTURES = Path.of("src", "test", "resources", "format-1");
    private static final Pid SELF = Pid.of("main", 1);
    private static final Pid OTHER = Pid.of("node-2", "main", 2);

    private static String text(String name) throws IOException {
        return Files.readString(FIXTURES.resolve(name), UTF_8);
    }

    /** One of each kind of entry, and of each kind of value. */
    private static List<Entry> allKinds() {
        return List.of(
                new Entry.Begin(
                        SELF,
                        OTHER,
                        "shop.Till",
                        "main",
                        List.of(1, "a"),
                        Map.of("k", true),
                        Instant.ofEpochSecond(9, 8)),
                new Entry.Answer(Question.NANOS, -5, null),
                new Entry.Returned(),
                new Entry.StepBegin(SELF, 1, 1, 3),
                new Entry.MessageIn("topic", new Sale("tea", 250, List.of("x")), OTHER, true, Map.of()),
                new Entry.CompletionIn(-7, Arrays.asList(null, (byte) 1, (short) 2, 'c', 3L, 4f, 5d), null, Map.of()),
                new Entry.SignalIn(Signal.Kind.LINK_DOWN, "why", OTHER, Optional.of(TimeUnit.DAYS), 3),
                new Entry.Answer(Question.RANDOM_BYTES, 0, new byte[] {1, 2, 3}),
                new Entry.Send(OTHER, "t", "half \ud83d", Delivery.MAILBOX_FULL),
                new Entry.Spawn("shop.Child", "main", List.of(), Map.of(), SELF, null),
                new Entry.Reply(1, new BigDecimal("1.50"), new shop.Declined("no"), true),
                new Entry.TimerSet(1, true, 1_000, "tick", Duration.ofMillis(5)),
                new Entry.TimerCancel(1),
                new Entry.NodeCall("register", List.of("name"), Optional.of(OTHER), null),
                new Entry.Yield(new PayloadText("a.Type", "text", "why"), 4, 5),
                new Entry.StepEnd(Next.UPGRADE, null, "shop.Next", "upgrade", new Object[] {"array"}, true),
                new Entry.CloseBegin(),
                new Entry.Threw(new shop.Declined("late")),
                new Entry.TooLarge("MessageIn"));
    }

    private static byte[] allKindsAsBytes() {
        var file = new ByteOutput();
        file.raw(Frames.MAGIC);
        var body = new ByteOutput();
        Body.write(body, new Body.Header(Body.VERSION, 42, 1, Instant.ofEpochSecond(1, 2), "17"));
        Frames.append(file, body);
        var format = new EntryFormat(new ValueWriter(List.of(), 1 << 16));
        long number = 0;
        for (Entry entry : allKinds()) {
            body.truncate(0);
            Body.write(body, format, new Body.Of(1, number++, 0, entry));
            Frames.append(file, body);
        }
        body.truncate(0);
        Body.write(body, new Body.Drops(77));
        Frames.append(file, body);
        return file.toBytes();
    }

    @Test
    void whenAllKindsOfEntriesAreWritten_thenTheBytesAreThoseOfTheFixture() throws Exception {
        assertThat(allKindsAsBytes()).isEqualTo(Files.readAllBytes(FIXTURES.resolve("all-kinds.rec")));
    }

    @Test
    void whenTheFixtureOfAllKindsIsRead_thenItSaysWhatItAlwaysSaid() throws Exception {
        Recording recording = Recording.read(FIXTURES.resolve("all-kinds.rec"));

        assertThat(recording.damage()).isEmpty();
        assertThat(recording.dropped()).isEqualTo(77);
        assertThat(recording.lives()).hasSize(1);
        assertThat(recording.lives().get(0).text()).isEqualTo(text("all-kinds.txt"));
    }

    @Test
    void whenALifeThatJdk17RecordedIsReplayedHere_thenItIsTheSame() throws Exception {
        Recording recording = Recording.read(FIXTURES.resolve("till.rec"));
        RecordedLife life = recording.life(SELF).orElseThrow();

        assertThat(recording.damage()).isEmpty();
        assertThat(life.text()).isEqualTo(text("till.txt"));
        ReplayReport report = Replay.of(life).allow(Shop.TYPES).run(Till::new);
        report.assertSame();
        assertThat(report.notes()).isEmpty();
        assertThat(Replay.of(life)
                        .allow(Shop.TYPES)
                        .run(() -> new Till(Till.Bug.SUM, 1))
                        .isSame())
                .isFalse();
    }

    /** Writes the fixtures: for a new version of the format, into a folder of its own. */
    static final class Fixtures {
        private Fixtures() {}

        public static void main(String[] args) throws Exception {
            Path to = Files.createDirectories(Path.of(args[0]));
            Files.write(to.resolve("all-kinds.rec"), allKindsAsBytes());
            Path folder = Files.createTempDirectory("till");
            Shop.recordedLife(folder);
            Files.copy(RecordFiles.in(folder).get(0), to.resolve("till.rec"));
            for (String name : List.of("all-kinds", "till")) {
                Recording recording = Recording.read(to.resolve(name + ".rec"));
                Files.writeString(
                        to.resolve(name + ".txt"), recording.lives().get(0).text());
            }
        }
    }
}
