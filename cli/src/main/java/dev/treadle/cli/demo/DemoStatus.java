// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import static dev.treadle.cli.Figures.exact;

import dev.treadle.ProcessInfo.State;
import dev.treadle.SchedulerStats;
import dev.treadle.ShutdownReport;
import dev.treadle.WorkerStats;
import dev.treadle.cli.Figures;
import java.time.Duration;
import java.util.List;

/** Puts the figures of a demo into words. */
final class DemoStatus {
    /**
     * A demo at a moment.
     *
     * @param elapsed since its start
     * @param stats of its scheduler
     * @param crashed how many processes have failed
     * @param slowSteps how many steps took so long that they were reported
     * @param readings how many readings have reached their station
     * @param rows how many rows were written to the database
     * @param looks how many good replies the HTTP endpoint has given
     */
    record Sample(
            Duration elapsed,
            SchedulerStats stats,
            long crashed,
            long slowSteps,
            long readings,
            long rows,
            long looks) {
        static Sample of(Demo demo, Duration elapsed) {
            return new Sample(
                    elapsed,
                    demo.stats(),
                    demo.crashed(),
                    demo.slowSteps(),
                    demo.readings(),
                    demo.rows(),
                    demo.looks());
        }

        long messages() {
            return stats.total().messagesSent() + stats.messagesFromOutside();
        }
    }

    private DemoStatus() {}

    /** Returns what happened between two moments, in lines that fit into 80 columns. */
    static List<String> lines(Sample before, Sample now) {
        Duration time = now.elapsed().minus(before.elapsed());
        WorkerStats then = before.stats().total();
        WorkerStats total = now.stats().total();
        return List.of(
                "%5s s: %s steps/s, %s messages/s, %s commands/s"
                        .formatted(
                                now.elapsed().toSeconds(),
                                Figures.perSecond(total.steps() - then.steps(), time),
                                Figures.perSecond(now.messages() - before.messages(), time),
                                Figures.perSecond(total.yields() - then.yields(), time)),
                "processes: %s idle, %s blocked, %s ready, %s running; %s crashed"
                        .formatted(
                                count(now, State.IDLE),
                                count(now, State.BLOCKED),
                                count(now, State.READY),
                                count(now, State.RUNNING),
                                exact(now.crashed())),
                "%s steals/s, %s parks/s; %s dead letters; delay p50 <%s p99 <%s"
                        .formatted(
                                Figures.perSecond(total.stealsWon() - then.stealsWon(), time),
                                Figures.perSecond(total.parks() - then.parks(), time),
                                exact(now.stats().deadLetters()),
                                delay(now, 0.5),
                                delay(now, 0.99)),
                "fleet: %s readings/s, %s rows/s to the database, %s replies/s over HTTP"
                        .formatted(
                                Figures.perSecond(now.readings() - before.readings(), time),
                                Figures.perSecond(now.rows() - before.rows(), time),
                                Figures.perSecond(now.looks() - before.looks(), time)));
    }

    /** Returns what happened in all, and how it ended. */
    static List<String> report(Sample end, long deadLettersInAll, ShutdownReport shutdown) {
        SchedulerStats stats = end.stats();
        WorkerStats total = stats.total();
        return List.of(
                "In " + Figures.seconds(end.elapsed()) + ":",
                row("steps", total.steps(), end.elapsed()),
                row("messages", end.messages(), end.elapsed()),
                row("commands", total.yields(), end.elapsed()),
                row("readings", end.readings(), end.elapsed()),
                row("rows", end.rows(), end.elapsed()),
                row("replies", end.looks(), end.elapsed()),
                "  processes     %s at the end; %s started, %s crashed and were started again"
                        .formatted(exact(stats.alive()), exact(stats.submitted()), exact(end.crashed())),
                "  steals        %s of %s tries, %s processes moved"
                        .formatted(exact(total.stealsWon()), exact(total.stealsTried()), exact(total.itemsStolen())),
                "  parks         %s; woken %s times for work, %s in vain"
                        .formatted(exact(total.parks()), exact(total.wakeUpsUseful()), exact(total.wakeUpsInVain())),
                "  dead letters  %s; %s more while it ended"
                        .formatted(
                                exact(stats.deadLetters()), exact(Math.max(0, deadLettersInAll - stats.deadLetters()))),
                "  slow steps    %s held a worker for %s ms or more"
                        .formatted(exact(end.slowSteps()), Demo.SLOW_STEP.toMillis()),
                "  ready to run  half within %s, 99 of 100 within %s".formatted(delay(end, 0.5), delay(end, 0.99)),
                "Shutdown: " + shutdown + ".");
    }

    private static String row(String name, long count, Duration time) {
        return "  %-12s  %s, %s/s".formatted(name, exact(count), Figures.perSecond(count, time));
    }

    private static String count(Sample sample, State state) {
        return exact(sample.stats().processes().getOrDefault(state, 0L));
    }

    private static String delay(Sample sample, double share) {
        return Figures.delay(sample.stats().readyDelay().percentile(share));
    }
}
