// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.simulate;

import dev.treadle.cli.ExitCode;
import dev.treadle.cli.Figures;
import dev.treadle.cli.QuietLog;
import dev.treadle.cli.run.Program;
import dev.treadle.simulation.Simulation;
import dev.treadle.simulation.SimulationFailure;
import dev.treadle.simulation.Trial;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code treadle simulate}: runs a test of a whole system with many seeds, and shows what fails. */
@Command(
        name = "simulate",
        description = {
            "Runs a whole system on one thread, in virtual time, with one seed after the other, until one fails.",
            "",
            "CLASS is a dev.treadle.simulation.Trial of yours with a constructor without parameters. Without it, a bank with"
                    + " a bug is simulated, to see what a failure looks like.",
            "",
            "What fails is shrunk, printed with the line that runs it again, and written to a page that shows it step by step."
        },
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  treadle simulate",
            "  treadle simulate com.acme.Deposits --class-path build/classes:build/test-classes --seeds 100000",
            "  treadle simulate com.acme.Deposits --class-path build/tests.jar --replay 17/",
            "",
            "Exit codes: 0 all seeds pass, 1 one fails, 2 wrong usage."
        })
public final class SimulateCommand implements Callable<Integer> {
    static final int SEEDS_MAX = 1_000_000_000;

    /** How many seeds are run between two words of progress; each batch uses all processors. */
    private static final int BATCH = 500;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", paramLabel = "CLASS", description = "The test to run.")
    private @Nullable String className;

    @Option(
            names = {"-cp", "--class-path"},
            paramLabel = "PATH",
            split = "[:;]",
            description = "Jars and folders where the class is, separated by a colon.")
    private List<Path> classPath = new ArrayList<>();

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "1000",
            description = "How many seeds to run. By default 1000.")
    private int seeds;

    @Option(names = "--first", paramLabel = "SEED", defaultValue = "0", description = "The first seed. By default 0.")
    private long first;

    @Option(names = "--replay", paramLabel = "LINE", description = "Run this one again: the line of a report.")
    private @Nullable String replay;

    @Option(
            names = "--page",
            paramLabel = "FILE",
            defaultValue = "treadle-simulation.html",
            description = "Where to write the page of what fails. By default treadle-simulation.html.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path page;

    /** Made by picocli. */
    public SimulateCommand() {}

    @Override
    public Integer call() throws IOException {
        if (seeds < 1 || seeds > SEEDS_MAX) {
            throw usage("--seeds was " + seeds + ", must be 1 to " + SEEDS_MAX + ": leave it out to run 1000");
        }
        for (Path entry : classPath) {
            if (!Files.isReadable(entry)) {
                throw usage("class path entry " + entry + " cannot be read: is it there?");
            }
        }
        QuietLog.warningsOnly();
        PrintWriter out = spec.commandLine().getOut();
        try (var program = new Program(classPath)) {
            return run(trial(program), out);
        }
    }

    private Trial trial(Program program) {
        if (className == null) {
            if (!classPath.isEmpty()) {
                throw usage("--class-path was given without a class: name the test to run, such as com.acme.Deposits");
            }
            return new LostDeposit();
        }
        try {
            return program.make(className, Trial.class);
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private int run(Trial trial, PrintWriter out) throws IOException {
        long start = System.nanoTime();
        try {
            if (replay != null) {
                replay(trial, replay);
                say(out, "passes: " + replay);
            } else {
                explore(trial, out);
                say(out, "all pass, in " + Figures.seconds(Duration.ofNanos(System.nanoTime() - start)));
            }
            return ExitCode.OK;
        } catch (SimulationFailure failure) {
            say(out, String.valueOf(failure.getMessage()));
            failure.trace().writePage(page);
            say(out, "The run as a page: " + page.toAbsolutePath().toUri());
            return ExitCode.FAILURE;
        }
    }

    private void replay(Trial trial, String line) {
        Simulation simulation;
        try {
            simulation = Simulation.replay(line);
        } catch (IllegalArgumentException e) {
            throw usage("--replay: " + e.getMessage());
        }
        try {
            trial.run(simulation);
        } catch (SimulationFailure failure) {
            throw failure;
        } catch (Throwable thrown) {
            throw new IllegalStateException("the test failed outside of its simulation: " + thrown, thrown);
        }
    }

    private void explore(Trial trial, PrintWriter out) {
        say(
                out,
                Figures.exact(seeds) + " seeds of "
                        + (className == null ? "a bank with a bug, since no class was named" : className));
        for (int done = 0; done < seeds; done += BATCH) {
            if (done > 0) {
                say(out, Figures.exact(done) + " seeds pass");
            }
            Simulation.explore(first + done, Math.min(BATCH, seeds - done), trial);
        }
    }

    private ParameterException usage(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }

    private static void say(PrintWriter out, String line) {
        out.println(line);
        out.flush();
    }
}
