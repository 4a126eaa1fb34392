// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.soak;

import dev.treadle.cli.EndRequest;
import dev.treadle.cli.ExitCode;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code treadle soak}: looks for faults in the scheduler with a random load. */
@Command(
        name = "soak",
        description = {
            "Looks for faults in the scheduler with a random load.",
            "",
            "Schedulers are started and stopped in rounds of two seconds. Their processes spawn, send, yield, ask, set"
                    + " timers, block, crash, are upgraded, cancelled and terminated. At the end of each round every"
                    + " message, every yield and every process must be accounted for, and no process and no thread may"
                    + " be left. The scheduler's own checks (-Dtreadle.check=true) are on.",
            "",
            "What each process does depends on the seed and the number of the round; when it does it, on the machine."
        },
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  treadle soak --minutes 30                       half an hour",
            "  treadle soak --minutes 5 --seed 7 --round 12    again from round 12",
            "",
            "Exit codes: 0 if all added up, 1 if not, 130 after Ctrl-C."
        })
public final class SoakCommand implements Callable<Integer> {
    private static final double MINUTES_MAX = 60 * 24 * 365;
    private static final int WORKERS_MAX = 1_024;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "1",
            description = "How long it runs; 0.5 is half a minute. By default 1.")
    private double minutes;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Where all random choices come from. By default the clock; it is printed.")
    private @Nullable Long seed;

    @Option(
            names = "--round",
            paramLabel = "N",
            defaultValue = "1",
            description = "Which round to begin with. By default 1.")
    private int round;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "How many workers each scheduler has. By default 1 to 8, by the seed.")
    private @Nullable Integer workers;

    /** Made by picocli. */
    public SoakCommand() {}

    @Override
    public Integer call() {
        if (!(minutes > 0 && minutes <= MINUTES_MAX)) {
            throw usage("--minutes was " + minutes + ", must be more than 0 and at most a year: leave it out to use 1");
        }
        if (workers != null && (workers < 1 || workers > WORKERS_MAX)) {
            throw usage("--workers was " + workers + ", must be 1 to " + WORKERS_MAX
                    + ": leave it out to let the seed choose");
        }
        if (System.getProperty("treadle.check") == null) {
            System.setProperty("treadle.check", "true"); // read when the first scheduler starts
        }
        long seed = this.seed == null ? System.nanoTime() : this.seed;
        var time = Duration.ofMillis(Math.max(1, Math.round(minutes * 60_000)));
        PrintWriter out = spec.commandLine().getOut();
        try (EndRequest end = EndRequest.listen(PATIENCE)) {
            return run(new Soak.Settings(time, seed, round, workers), end, out);
        }
    }

    private ParameterException usage(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }

    private int run(Soak.Settings settings, EndRequest end, PrintWriter out) {
        String again = "./treadle soak --seed " + settings.seed() + " --minutes " + minutes
                + (workers == null ? "" : " --workers " + workers);
        print(out, again + " on Java " + Runtime.version().feature());
        var soak = new Soak(settings, Ledger::new, line -> print(out, line));
        List<String> faults = soak.run(end::isAsked);
        soak.summary().forEach(out::println);
        faults.forEach(fault -> out.println("FAULT in " + fault));
        print(
                out,
                faults.isEmpty()
                        ? "no fault found"
                        : "to run it again: " + again + "; from that round on, which may do: " + again + " --round "
                                + soak.lastRound());
        return faults.isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
    }

    private static void print(PrintWriter out, String line) {
        out.println(line);
        out.flush();
    }
}
