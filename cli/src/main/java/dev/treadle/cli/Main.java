// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import dev.treadle.cli.demo.DemoCommand;
import dev.treadle.cli.run.RunCommand;
import dev.treadle.cli.simulate.SimulateCommand;
import dev.treadle.cli.soak.SoakCommand;
import dev.treadle.cli.top.TopCommand;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The {@code treadle} command. */
@Command(
        name = "treadle",
        description = "Shows and tries what the Treadle runtime does.",
        synopsisSubcommandLabel = "COMMAND",
        sortOptions = false,
        versionProvider = Version.class,
        subcommands = {
            DemoCommand.class,
            RunCommand.class,
            TopCommand.class,
            SimulateCommand.class,
            SoakCommand.class,
            VersionCommand.class
        },
        footer = {
            "",
            "Examples:",
            "  treadle demo --for 10s     watch 100,000 devices for ten seconds",
            "  treadle run app.yaml       run a program of your own",
            "  treadle simulate           find a planted bug in a simulated bank",
            "  treadle soak --minutes 5   look for faults for five minutes",
            "  treadle demo --help        say more about one command",
            "",
            "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 out of memory, 130 Ctrl-C.",
            "JVM flags: TREADLE_JAVA_OPTS, such as TREADLE_JAVA_OPTS=-Xmx512m."
        })
public final class Main implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Say how it is used, and end.")
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Say which version this is, and end.")
    private boolean version;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "When something fails, say where in the code.")
    private boolean debug;

    private Main() {}

    /** Runs the command, and ends the JVM with its exit code. */
    public static void main(String[] args) {
        // A writer right above System.out, as picocli's own is not, knows when nobody reads any more.
        System.exit(commandLine()
                .setOut(new PrintWriter(System.out, true, Charset.defaultCharset()))
                .execute(args));
    }

    /** Returns the command as it is run, for tests to give it arguments and streams. */
    static CommandLine commandLine() {
        var main = new Main();
        var line = new CommandLine(main);
        CheckoutCommand.addTo(line, "bench", "Measures Treadle against its peers.", "bench pingpong --quick");
        CheckoutCommand.addTo(line, "verify", "Checks the lock-free classes with jcstress.", "verify --quick");
        line.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
        line.setUsageHelpAutoWidth(false);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setParameterExceptionHandler(new UsageErrors());
        line.setExecutionExceptionHandler(new Failures(() -> main.debug));
        return line;
    }

    /** Without a command there is nothing to do but to say which there are. */
    @Override
    public Integer call() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "the command is missing: name one, such as treadle demo");
    }
}
