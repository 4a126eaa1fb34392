// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import dev.treadle.ShutdownReport;
import dev.treadle.cli.DurationConverter;
import dev.treadle.cli.EndRequest;
import dev.treadle.cli.ExitCode;
import dev.treadle.cli.Figures;
import dev.treadle.cli.StatusDisplay;
import dev.treadle.cli.demo.DemoStatus.Sample;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code treadle demo}: runs processes that talk to each other, and shows what the scheduler does. */
@Command(
        name = "demo",
        description = {
            "Runs 100,000 processes that talk to each other, and shows what the scheduler does.",
            "",
            "Devices measure, and pass their readings over their neighbours to a hub and back. They rest with a command"
                    + " that is answered later, and store with one that they wait for. Some crash, and their hub starts"
                    + " another in their place.",
            "",
            "It may use all of the CPU of a small machine, and some 100 MB of heap. How many messages are under way has"
                    + " a bound, so it can run for as long as you like.",
            "",
            "Ctrl-C ends it in order: every process is asked to end, then a report is printed."
        },
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  treadle demo                             until Ctrl-C",
            "  treadle demo --for 10s --workers 1       ten seconds, on one worker",
            "  treadle demo --processes 1000000         a million processes",
            "",
            "What is shown, each over the last moment unless it says otherwise:",
            "  steps       how many times a process was stepped; a step may get many messages",
            "  idle        processes that wait for a message or for the end of their rest",
            "  blocked     processes that wait for the answer to a command",
            "  ready       processes that could run, and wait for a worker",
            "  parks       how many times a worker had nothing to do, and slept",
            "  dead letters, crashed                    since the start",
            "  delay       from ready to running, since the start; to within a factor of two",
            "",
            "Exit codes: 0 when the time of --for is over, 130 after Ctrl-C, 1 if processes had to be ended by force."
        })
public final class DemoCommand implements Callable<Integer> {
    static final int PROCESSES_MIN = 10;
    static final int PROCESSES_MAX = 10_000_000;
    private static final int CRASH_ODDS = 20_000;
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration PATIENCE = SHUTDOWN_TIMEOUT.plusSeconds(5);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long it runs: 500ms, 10s, 2m, 1h. By default until Ctrl-C.")
    private @Nullable Duration time;

    @Option(
            names = "--processes",
            paramLabel = "N",
            defaultValue = "100000",
            description = "How many processes there are. By default 100000.")
    private int processes;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "How many workers run them. By default one per processor.")
    private @Nullable Integer workers;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Where the random choices of processes come from. By default 1. Two runs still differ:"
                    + " which process runs first depends on the threads.")
    private long seed;

    /** Made by picocli. */
    public DemoCommand() {}

    @Override
    public Integer call() {
        if (processes < PROCESSES_MIN || processes > PROCESSES_MAX) {
            throw usage("--processes was %s, must be %s to %s: leave it out to use 100000"
                    .formatted(processes, PROCESSES_MIN, PROCESSES_MAX));
        }
        PrintWriter out = spec.commandLine().getOut();
        try (EndRequest end = EndRequest.listen(PATIENCE);
                Demo demo = start()) {
            return run(demo, end, out);
        }
    }

    private Demo start() {
        try {
            return Demo.start(new Demo.Settings(processes, workers, seed, CRASH_ODDS));
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private ParameterException usage(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }

    private int run(Demo demo, EndRequest end, PrintWriter out) {
        long start = System.nanoTime();
        out.println(Figures.exact(processes) + " processes on "
                + demo.workers() + " workers"
                + (time == null ? "; Ctrl-C ends it." : " for " + Figures.seconds(time) + "."));
        demo.populate(end::isAsked);
        Sample last = showUntilEnd(demo, end, start, StatusDisplay.on(out));
        ShutdownReport report = demo.shutdown(SHUTDOWN_TIMEOUT);
        DemoStatus.report(last, demo.stats(), report).forEach(out::println);
        out.flush();
        return report.isGraceful() ? ExitCode.OK : ExitCode.FAILURE;
    }

    /** Returns the figures at the end. */
    private Sample showUntilEnd(Demo demo, EndRequest end, long start, StatusDisplay display) {
        Sample before = sample(demo, start);
        while (true) {
            Duration left = time == null ? display.interval() : time.minusNanos(System.nanoTime() - start);
            boolean last = left.compareTo(display.interval()) <= 0 && time != null;
            boolean ended = end.await(last ? left : display.interval()) || last || display.isClosed();
            Sample now = sample(demo, start);
            display.show(DemoStatus.lines(before, now));
            if (ended) {
                display.end();
                return now;
            }
            before = now;
        }
    }

    private static Sample sample(Demo demo, long start) {
        return Sample.of(demo, Duration.ofNanos(System.nanoTime() - start));
    }
}
