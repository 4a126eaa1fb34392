// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.Pid;
import dev.treadle.simulation.replay.ReplayReport.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import shop.Till;
import shop.Till.Bug;

/** A till that was recorded on a real scheduler, once, is replayed: by the same code, and by code with each bug. */
class ReplayTest {
    @TempDir
    static Path folder;

    private static RecordedLife life;

    @BeforeAll
    static void record() throws Exception {
        life = Shop.recordedLife(folder);
    }

    private static ReplayReport replay(Bug bug, int from) {
        return Replay.of(life).allow(Shop.TYPES).run(() -> new Till(bug, from));
    }

    /** The number of the event whose line contains this. */
    private static long event(String text) {
        Matcher matcher = Pattern.compile("#(\\d+) .*" + Pattern.quote(text)).matcher(life.text());
        assertThat(matcher.find()).as("%s in%n%s", text, life.text()).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    @Test
    void whenTheCodeIsTheSame_thenTheReplayIsTooTimersAsksSpawnsAndRandomIncluded() {
        ReplayReport report = replay(Bug.NONE, 1);

        assertThat(report.text()).startsWith("Replay of {main|1} " + Till.class.getName() + ", main, recorded ");
        assertThat(report.outcome()).as(report.text()).isEqualTo(Outcome.SAME);
        assertThat(report.notes()).isEmpty();
        assertThat(report.events()).isEqualTo(life.events());
        assertThat(life.text())
                .as("what the recording must hold for this test to mean something")
                .contains(
                        "spawn " + Till.Printer.class.getName(),
                        "timer 1 after PT0.001S: \"tick\" \"once\"",
                        "cancel timer 2",
                        "random().nextInt gave",
                        "time().nanos() gave",
                        "time().instant() gave",
                        "isCancelled() gave 0",
                        "request \"sum\"",
                        "reply to event",
                        "completion of 2: \"paid 900\"",
                        "completion of 3, failed: java.lang.IllegalArgumentException: declined: 9900",
                        "completion of 1003: \"black\"",
                        "yield Ask[target={main|2}, topic=\"ink?\", payload=null] with tag 1003 within PT1M",
                        "done with [11270, ");
    }

    /** How a bug shows: what was recorded at the event where it does, and what the code does now. */
    private static final Map<Bug, String[]> SIGNS = Map.ofEntries(
            Map.entry(Bug.SUM, new String[] {"request \"sum\"", "reply to event N: 11270", "reply to event N: 11151"}),
            Map.entry(
                    Bug.RECEIPT_TARGET,
                    new String[] {"\"cup\"", "send to {main|2} \"receipt\"", "send to {main|1} \"receipt\""}),
            Map.entry(Bug.NO_RECEIPT, new String[] {"\"cup\"", "send to {main|2} \"receipt\"", "nothing of the kind"}),
            Map.entry(
                    Bug.TWO_RECEIPTS, new String[] {"\"cup\"", "nothing of the kind", "send to {main|2} \"receipt\""}),
            Map.entry(Bug.THROW, new String[] {
                "\"cup\"", "send to {main|2} \"receipt\"", "threw java.lang.IllegalArgumentException: no cup"
            }),
            Map.entry(Bug.DONE, new String[] {"\"cup\"", "idle", "done with \"early\""}));

    @ParameterizedTest
    @EnumSource(
            value = Bug.class,
            names = {"SUM", "RECEIPT_TARGET", "NO_RECEIPT", "TWO_RECEIPTS", "THROW", "DONE"})
    void whenTheCodeHasABugFromTheLastSaleOn_thenItIsFoundAtItsEvent(Bug bug) {
        String[] sign = SIGNS.get(bug);
        long event = event(sign[0]);

        ReplayReport report = replay(bug, 4);

        assertThat(report.outcome()).isEqualTo(Outcome.DIFFERENT);
        Divergence divergence = report.divergence().orElseThrow();
        assertThat(divergence.event()).as(report.text()).isEqualTo(event);
        assertThat(divergence.expected()).startsWith(sign[1].replace("N", "" + event));
        assertThat(divergence.actual()).startsWith(sign[2].replace("N", "" + event));
        assertThat(divergence.before()).hasSize(5);
        assertThat(divergence.before().get(4)).startsWith("#" + (event - 1) + " ");
        assertThat(report.text())
                .contains("DIFFERENT at event " + event + " (step " + divergence.step() + "): ")
                .contains("  recorded: " + divergence.expected())
                .contains("  now:      " + divergence.actual());
        assertThat(divergence.thrown() != null).isEqualTo(bug == Bug.THROW);
        assertThatThrownBy(report::assertSame)
                .isInstanceOf(AssertionError.class)
                .hasMessage(report.text());
    }

    @Test
    void whenACommandIsAnother_thenItIsFoundAtItsEvent() {
        Divergence divergence = replay(Bug.CHARGE, 3).divergence().orElseThrow();

        assertThat(divergence.event()).isEqualTo(event("\"samovar\""));
        assertThat(divergence.expected()).isEqualTo("yield Charge[cents=9900] with tag 3 within PT1M");
        assertThat(divergence.actual()).isEqualTo("yield Charge[cents=9901] with tag 3 within PT1M");
    }

    @Test
    void whenACommandIsMissing_thenItIsFoundInItsStep() {
        Divergence divergence = replay(Bug.NO_CHARGE, 2).divergence().orElseThrow();

        assertThat(divergence.expected()).isEqualTo("yield Charge[cents=900] with tag 2 within PT1M");
        assertThat(divergence.event()).isBetween(event("\"pot\""), event("request \"time\""));
    }

    @Test
    void whenTheFirstStepDiffers_thenItIsFoundBeforeAnyEventIsLookedAt() {
        Divergence divergence = replay(Bug.TIMER, 1).divergence().orElseThrow();

        assertThat(divergence.event()).isZero();
        assertThat(divergence.step()).isEqualTo(1);
        assertThat(divergence.at()).startsWith("step 1");
        assertThat(divergence.expected()).isEqualTo("timer 2 every PT0.007S: \"remind\"");
        assertThat(divergence.actual()).isEqualTo("timer 2 every PT0.009S: \"remind\"");
        assertThat(divergence.before()).isEmpty();
    }

    @Test
    void whenInitFails_thenItIsFoundInInit() {
        Divergence divergence = replay(Bug.INIT, 1).divergence().orElseThrow();

        assertThat(divergence.at()).isEqualTo("init");
        assertThat(divergence.step()).isZero();
        assertThat(divergence.expected()).isEqualTo("nothing of the kind: returned");
        assertThat(divergence.actual()).isEqualTo("threw java.lang.IllegalStateException: no change");
        assertThat(divergence.thrown()).hasMessage("no change");
    }

    @Test
    void whenTheClockIsReadOnceMore_thenThatIsNotedAndNoDifference() {
        ReplayReport report = replay(Bug.CLOCK, 4);

        assertThat(report.isSame()).as(report.text()).isTrue();
        assertThat(report.notes())
                .singleElement()
                .asString()
                .startsWith("time().instant() is called more often than it was: in step ");
        report.assertSame();
    }

    @Test
    void whenARandomNumberMoreIsDrawn_thenTheDifferenceIsFoundWhereItShows() {
        ReplayReport report = replay(Bug.DRAW, 4);

        assertThat(report.divergence().orElseThrow().expected()).startsWith("done with [11270, ");
        assertThat(report.divergence().orElseThrow().event()).isEqualTo(life.events());
        assertThat(report.notes()).singleElement().asString().startsWith("random().nextInt is called more often");
    }

    @Test
    void whenTypesAreNotAllowed_thenTheProcessGetsTextAndTheReportSaysSo() {
        ReplayReport report = Replay.of(life).run(Till::new);

        assertThat(report.outcome()).isEqualTo(Outcome.DIFFERENT);
        assertThat(report.divergence().orElseThrow().event()).isEqualTo(event("\"tea\""));
        assertThat(report.notes())
                .anySatisfy(note -> assertThat(note)
                        .startsWith(
                                "event " + event("\"tea\"") + ": Sale[what=\"tea\", cents=250, tags=[]] is given as a"
                                        + " PayloadText: class " + Till.Sale.class.getName()
                                        + " is not allowed: allow(\"" + Till.Sale.class.getName()
                                        + "\") if you trust the recording"));
    }

    @Test
    void whenThereIsAPlaceForABreakpoint_thenItIsReachedBeforeEachStepOnTheCallingThread() {
        var steps = new ArrayList<Long>();
        Thread here = Thread.currentThread();

        ReplayReport report = Replay.of(life)
                .allow(Shop.TYPES)
                .beforeStep(step -> {
                    assertThat(Thread.currentThread()).isSameAs(here);
                    steps.add(step);
                })
                .run(Till::new);

        assertThat(steps).hasSize((int) report.steps()).startsWith(1L, 2L).isSorted();
    }

    @Test
    void whenTheProcessIsNotInTheRecording_thenTheErrorSaysHowToFindOut() {
        assertThatThrownBy(() -> Replay.of(folder, Pid.of("main", 77)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("process {main|77} is not in ")
                .hasMessageContaining("lists those that are");
    }
}
