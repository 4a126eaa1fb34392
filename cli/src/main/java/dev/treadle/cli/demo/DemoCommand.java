// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import dev.treadle.ShutdownReport;
import dev.treadle.cli.DurationConverter;
import dev.treadle.cli.EndRequest;
import dev.treadle.cli.ExitCode;
import dev.treadle.cli.Figures;
import dev.treadle.cli.QuietLog;
import dev.treadle.cli.StatusDisplay;
import dev.treadle.cli.demo.DemoStatus.Sample;
import dev.treadle.observe.Dashboard;
import dev.treadle.observe.DashboardBuilder;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code treadle demo}: runs processes that talk to each other, and shows what the scheduler does. */
@Command(
        name = "demo",
        description = {
            "Runs a fleet of 100,000 devices, each a process, and shows what goes on.",
            "",
            "Devices measure, and send readings to the station of their site. Stations send commands back, and what the"
                    + " readings come to to a recorder, which writes it to a database in memory. Some devices break, and"
                    + " the supervisor of their site starts them again. An HTTP endpoint on this machine answers"
                    + " questions about single devices; its address is printed.",
            "",
            "It needs no configuration, some 300 MB of heap, and some of your processors. It can run for as long as you"
                    + " like.",
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
            "  idle        processes that wait for a message",
            "  blocked     processes that wait for the answer to a command",
            "  ready       processes that could run, and wait for a worker",
            "  parks       how many times a worker had nothing to do, and slept",
            "  dead letters, crashed                    since the start",
            "  rows        what the stations sum up each second",
            "  delay       from ready to running, since the start; to within a factor of two",
            "",
            "Exit codes: 0 when the time of --for is over, 130 after Ctrl-C, 1 if processes had to be ended by force."
        })
public final class DemoCommand implements Callable<Integer> {
    static final int PROCESSES_MIN = 10;
    static final int PROCESSES_MAX = 10_000_000;
    private static final int PORT_DEFAULT = 7701;
    private static final int PAGE_PORT_UNSET = -1;
    private static final int PORT_MAX = 65_535;
    private static final int CRASH_ODDS = 5_000;
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(30);
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

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            defaultValue = "" + PORT_DEFAULT,
            description = "Where the HTTP endpoint is; 0 for any that is free. By default 7701, or another one if it is"
                    + " taken.")
    private int port;

    @Option(
            names = "--page-port",
            paramLabel = "PORT",
            defaultValue = "" + PAGE_PORT_UNSET,
            showDefaultValue = Visibility.NEVER,
            description = "Where the page is; 0 for any that is free. By default 7700, or another one if it is taken.")
    private int pagePort;

    /** Made by picocli. */
    public DemoCommand() {}

    @Override
    public Integer call() {
        if (processes < PROCESSES_MIN || processes > PROCESSES_MAX) {
            throw usage("--processes was %s, must be %s to %s: leave it out to use 100000"
                    .formatted(processes, PROCESSES_MIN, PROCESSES_MAX));
        }
        if (port < 0 || port > PORT_MAX) {
            throw usage("--http-port was %s, must be 0 to %s: leave it out to use %s"
                    .formatted(port, PORT_MAX, PORT_DEFAULT));
        }
        if (pagePort < PAGE_PORT_UNSET || pagePort > PORT_MAX) {
            throw usage("--page-port was %s, must be 0 to %s: leave it out to use %s"
                    .formatted(pagePort, PORT_MAX, DashboardBuilder.PORT_DEFAULT));
        }
        QuietLog.warningsOnly();
        boolean interrupted = Thread.interrupted(); // to start is not to be interrupted; it ends at once instead
        PrintWriter out = spec.commandLine().getOut();
        try (EndRequest end = EndRequest.listen(PATIENCE);
                Demo demo = start();
                Dashboard page = startPage(demo)) {
            if (interrupted) {
                end.ask();
            }
            return run(demo, page, end, out);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Demo start() {
        try {
            return Demo.start(new Demo.Settings(processes, workers, seed, CRASH_ODDS, INTERVAL, port));
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    /** Who looks may end processes, too: to see them started again is half of what there is to see. */
    private Dashboard startPage(Demo demo) {
        DashboardBuilder page =
                Dashboard.of(demo.node()).incidents(demo.incidents()).allowControl();
        if (pagePort != PAGE_PORT_UNSET) {
            page.port(pagePort);
        }
        try {
            return page.start();
        } catch (UncheckedIOException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private ParameterException usage(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }

    private int run(Demo demo, Dashboard page, EndRequest end, PrintWriter out) {
        long start = System.nanoTime();
        out.println(Figures.exact(processes) + " processes on "
                + demo.workers() + " workers"
                + (time == null ? "; Ctrl-C ends it." : " for " + Figures.seconds(time) + "."));
        sayWhatToLookAt(demo, page, out);
        var over = new AtomicBoolean();
        CompletableFuture<Void> populated = CompletableFuture.runAsync(
                () -> demo.populate(() -> over.get() || end.isAsked()), DemoCommand::startThread);
        Sample last = showUntilEnd(demo, end, start, StatusDisplay.on(out));
        over.set(true);
        populated.join();
        ShutdownReport report = demo.shutdown(SHUTDOWN_TIMEOUT);
        DemoStatus.report(last, demo.deadLetters(), report).forEach(out::println);
        out.flush();
        return report.isGraceful() ? ExitCode.OK : ExitCode.FAILURE;
    }

    private static void startThread(Runnable task) {
        var thread = new Thread(task, "treadle-demo-populate");
        thread.setDaemon(true);
        thread.start();
    }

    private void sayWhatToLookAt(Demo demo, Dashboard page, PrintWriter out) {
        String pageMoved = page.isPortAsWished() ? "" : " (port " + DashboardBuilder.PORT_DEFAULT + " is taken)";
        out.println("Look at it: " + page.url() + pageMoved);
        URI api = demo.api();
        String moved = port != 0 && api.getPort() != port ? " (port " + port + " is taken)" : "";
        out.println("A device over HTTP: curl " + api + "devices/" + Math.min(42, demo.devices() - 1) + moved
                + "; more at " + api);
        out.flush();
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
