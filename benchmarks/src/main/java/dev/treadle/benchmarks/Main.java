// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

import dev.treadle.benchmarks.report.MarkdownReport;
import dev.treadle.benchmarks.report.ProgressLines;
import dev.treadle.benchmarks.report.TextTable;
import dev.treadle.benchmarks.run.Campaign;
import dev.treadle.benchmarks.run.Environment;
import dev.treadle.benchmarks.run.ForkProcess;
import dev.treadle.benchmarks.run.ForkResult;
import dev.treadle.benchmarks.run.Jdk;
import dev.treadle.benchmarks.run.Json;
import dev.treadle.benchmarks.run.Lane;
import dev.treadle.benchmarks.run.Lanes;
import dev.treadle.benchmarks.run.Results;
import dev.treadle.benchmarks.run.Series;
import dev.treadle.cli.ExitCode;
import dev.treadle.cli.Failures;
import dev.treadle.cli.UsageErrors;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code treadle bench}: measures Treadle against its peers. */
@Command(
        name = "treadle bench",
        description = {
            "Measures Treadle against its peers.",
            "",
            "Each run has a JVM of its own, and peers run in alternation. A JVM warms up, then measures several iterations,"
                    + " whose median counts; the table has the median over the JVMs and how far they differ. Every"
                    + " result is checked. Less is better in all of them; the last column says how many times as much"
                    + " the best peer takes.",
            "",
            "A run is disturbed (*) if other processes had more than 5 %% of the CPU time. It is repeated, twice at the"
                    + " most, but not with --quick. All takes more than an hour: close other programs first."
        },
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  treadle bench --list                     say which workloads and peers there are",
            "  treadle bench --quick                    five workloads, in three minutes",
            "  treadle bench pingpong ring --peers fj   two workloads, against one peer",
            "  treadle bench --json all.json            everything, kept for the report",
            "  treadle bench --report --json all.json   write docs/benchmarks.md from it",
            "  treadle bench big --lanes 1,2,4          Treadle alone, with one, two and four workers",
            "  treadle bench --jmh deque                micro-benchmarks of one part",
            "  treadle bench --crowd 1000000            a million processes; for more, give the JVM a heap first:",
            "  TREADLE_JAVA_OPTS=-Xmx8g treadle bench --crowd 10000000",
            "",
            "Exit codes: 0 done, 1 a run failed, 2 wrong usage, 130 Ctrl-C."
        })
public final class Main implements Callable<Integer> {
    private static final int FORKS_DEFAULT = 3;
    private static final int FORKS_MAX = 100;
    private static final int WORKERS_DEFAULT = 2;
    private static final int WORKERS_MAX = 1_024;
    private static final int CROWD_MAX = 100_000_000;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "WORKLOAD", arity = "0..*", description = "Which workloads. By default all; see --list.")
    private List<String> workloads = new ArrayList<>();

    @Option(
            names = "--peers",
            paramLabel = "PEER",
            split = ",",
            description = "Which peers, separated by commas. By default all; see --list.")
    private @Nullable List<String> peers;

    @Option(names = "--forks", paramLabel = "N", description = "How many JVMs for each figure. By default 3, quick 1.")
    private @Nullable Integer forks;

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "" + WORKERS_DEFAULT,
            description = "How many workers each has. By default 2.")
    private int workers;

    @Option(
            names = "--lanes",
            paramLabel = "N",
            split = ",",
            description =
                    "Measure Treadle alone with each of these numbers of workers. With --json the figures are added to"
                            + " the results in that file.")
    private @Nullable List<Integer> lanes;

    @Option(names = "--quick", description = "Small sizes and one JVM each: a first look.")
    private boolean quick;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Where results are written to, or the report reads them from.")
    private @Nullable Path json;

    @Option(
            names = "--jdk",
            paramLabel = "HOME",
            description = "The JDK that runs the workloads. By default the one that runs this.")
    private @Nullable Path jdkHome;

    @Option(names = "--list", description = "Say which workloads and peers there are, and end.")
    private boolean list;

    @Option(names = "--report", description = "Write docs/benchmarks.md and its charts from the results in --json.")
    private boolean report;

    @Option(
            names = "--also",
            paramLabel = "FILE",
            split = ",",
            description = "With --report: results of another JDK or machine, which get a table each.")
    private List<Path> also = List.of();

    @Option(
            names = "--docs",
            paramLabel = "DIR",
            hidden = true,
            description = "Where the report goes. By default docs of the checkout.")
    private @Nullable Path docs;

    @Option(
            names = "--jmh",
            paramLabel = "REGEX",
            arity = "0..1",
            fallbackValue = ".*",
            description = "Run micro-benchmarks whose name contains this; all if it is left out.")
    private @Nullable String jmh;

    @Option(names = "--looking-cost", description = "Measure what it costs the workers that all processes are listed.")
    private boolean lookingCost;

    @Option(
            names = "--crowd",
            paramLabel = "N",
            description =
                    "Start so many processes, send each a message, end them; say how long that takes and how much memory"
                            + " each has.")
    private @Nullable Integer crowd;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Say how it is used, and end.")
    private boolean help;

    @Option(names = "--debug", description = "When something fails, say where in the code.")
    private boolean debug;

    private Main() {}

    /** Runs the command, and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine()
                .setOut(new PrintWriter(System.out, true, Charset.defaultCharset()))
                .execute(args));
    }

    /** Returns the command as it is run, for tests to give it arguments and streams. */
    static CommandLine commandLine() {
        var main = new Main();
        var line = new CommandLine(main);
        line.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
        line.setUsageHelpAutoWidth(false);
        line.setParameterExceptionHandler(new UsageErrors());
        line.setExecutionExceptionHandler(new Failures(() -> main.debug));
        return line;
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        if (list) {
            list(out);
            return ExitCode.OK;
        }
        if (report) {
            return writeReport(out);
        }
        if (lookingCost) {
            LookingCost.run(out);
            return ExitCode.OK;
        }
        if (crowd != null) {
            if (crowd < 1 || crowd > CROWD_MAX) {
                throw usage("--crowd was " + crowd + ", must be 1 to " + CROWD_MAX + ": a million is a good start");
            }
            checkRange("--workers", workers, WORKERS_MAX);
            Crowd.run(out, crowd, workers);
            return ExitCode.OK;
        }
        if (jmh != null) {
            return JmhCommand.run(jmh, out);
        }
        return lanes == null ? measure(out) : measureLanes(lanes, out);
    }

    private int measure(PrintWriter out) throws Exception {
        List<Workload> chosen = chosenWorkloads();
        List<Contender> contenders = contenders();
        int forks = chosenForks();
        checkRange("--workers", workers, WORKERS_MAX);
        checkFolder();
        Jdk jdk = jdk();
        Environment environment = Environment.of(jdk, workers, forks, quick);
        out.print(TextTable.head(environment));
        out.flush();
        var campaign = new Campaign(
                chosen,
                contenders,
                forks,
                quick ? 0 : Campaign.REPEATS_MAX,
                new ForkProcess(jdk, workers, quick),
                new ProgressLines(spec.commandLine().getErr()));
        Path file = json;
        List<Series> series = campaign.run(soFar -> {
            if (file != null) {
                Json.write(file, new Results(environment, soFar, List.of()));
            }
        });
        out.print(TextTable.of(new Results(environment, series, List.of())));
        out.flush();
        boolean failed = series.stream()
                .flatMap(one -> one.forks().stream())
                .anyMatch(fork -> fork.status() == ForkResult.Status.FAILED);
        return failed ? ExitCode.FAILURE : ExitCode.OK;
    }

    private int measureLanes(List<Integer> counts, PrintWriter out) throws Exception {
        counts.forEach(count -> checkRange("--lanes", count, WORKERS_MAX));
        List<Workload> chosen = chosenWorkloads();
        int forks = chosenForks();
        checkFolder();
        Jdk jdk = jdk();
        Environment environment = Environment.of(jdk, counts.get(0), forks, quick);
        Path file = json;
        Results before = file != null && Files.exists(file)
                ? Json.read(file) // now, not after an hour
                : new Results(environment, List.of(), List.of());
        if (before.environment().quick() != quick) {
            throw usage("--json was " + file + ", which holds the results of a " + (quick ? "full" : "quick")
                    + " run, and this one is " + (quick ? "quick" : "full") + ": name another file");
        }
        if (!before.environment().jdk().equals(environment.jdk())) {
            throw usage("--json was " + file + ", which holds the results of JDK "
                    + before.environment().jdk() + ", and these are of " + environment.jdk()
                    + ": name another file, or that JDK with --jdk");
        }
        out.print(TextTable.head(environment, counts));
        out.flush();
        PrintWriter err = spec.commandLine().getErr();
        List<Lane> measured = new Lanes(
                        chosen,
                        counts,
                        forks,
                        quick ? 0 : Campaign.REPEATS_MAX,
                        count -> new ForkProcess(jdk, count, quick),
                        count -> {
                            err.print(count + (count == 1 ? " worker  " : " workers "));
                            return new ProgressLines(err);
                        })
                .run(soFar -> {
                    if (file != null) {
                        Json.write(file, before.withLanes(soFar));
                    }
                });
        out.print(TextTable.of(measured));
        out.flush();
        return measured.stream().allMatch(lane -> lane.series().isMeasured()) ? ExitCode.OK : ExitCode.FAILURE;
    }

    private int writeReport(PrintWriter out) throws Exception {
        if (json == null) {
            throw usage("--report needs the results of a full run: name their file with --json FILE");
        }
        Path folder = docs != null ? docs : Path.of(System.getProperty("treadle.root", "."), "docs");
        var others = new ArrayList<Results>();
        for (Path file : also) {
            others.add(Json.read(file));
        }
        Path page = MarkdownReport.write(Json.read(json), others, folder);
        out.println("Wrote " + page);
        out.flush();
        return ExitCode.OK;
    }

    private List<Workload> chosenWorkloads() {
        if (workloads.isEmpty()) {
            return quick ? Workload.QUICK : List.of(Workload.values());
        }
        return workloads.stream()
                .map(label -> Workload.of(label)
                        .orElseThrow(() -> usage("workload was '" + label + "', must be one of "
                                + Arrays.stream(Workload.values())
                                        .map(Workload::label)
                                        .collect(Collectors.joining(", "))
                                + ": see treadle bench --list")))
                .distinct()
                .toList();
    }

    /** Treadle, and those that it is compared with. */
    private List<Contender> contenders() {
        var all = new ArrayList<Contender>(List.of(Contender.TREADLE));
        if (peers == null) {
            all.addAll(Contender.peers());
            return all;
        }
        for (String label : peers) {
            Contender peer = Contender.of(label)
                    .filter(found -> found != Contender.TREADLE)
                    .orElseThrow(() -> usage("--peers was '" + label + "', must be some of "
                            + Contender.peers().stream().map(Contender::label).collect(Collectors.joining(","))
                            + ": leave it out for all of them"));
            if (!all.contains(peer)) {
                all.add(peer);
            }
        }
        return all;
    }

    private int chosenForks() {
        if (forks == null) {
            return quick ? 1 : FORKS_DEFAULT;
        }
        return checkRange("--forks", forks, FORKS_MAX);
    }

    private int checkRange(String name, int value, int max) {
        if (value < 1 || value > max) {
            throw usage(name + " was " + value + ", must be 1 to " + max + ": leave it out for the default");
        }
        return value;
    }

    /** Before an hour of work, not after it. */
    private void checkFolder() {
        if (json != null && !Files.isWritable(json.toAbsolutePath().getParent())) {
            throw usage("--json was " + json + ", must be in a folder that can be written to: make that folder first");
        }
    }

    private Jdk jdk() {
        try {
            return jdkHome == null ? Jdk.current() : Jdk.in(jdkHome);
        } catch (IllegalArgumentException wrong) {
            throw usage(String.valueOf(wrong.getMessage()));
        }
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private static void list(PrintWriter out) {
        out.println("Workloads:");
        for (Workload workload : Workload.values()) {
            out.printf("  %-15s %s; per %s%n", workload.label(), workload.summary(), workload.operation());
        }
        out.println();
        out.println("Peers:");
        for (Contender peer : Contender.peers()) {
            out.printf("  %-15s %s%n", peer.label(), peer.summary());
        }
        out.flush();
    }
}
