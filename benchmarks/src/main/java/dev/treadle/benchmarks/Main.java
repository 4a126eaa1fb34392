// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

import dev.treadle.cli.ExitCode;
import dev.treadle.cli.Failures;
import dev.treadle.cli.UsageErrors;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;

/** {@code treadle bench}: measures Treadle against its peers. */
@Command(name = "treadle bench", description = "Measures Treadle against its peers.", sortOptions = false)
public final class Main implements Callable<Integer> {
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
    public Integer call() {
        return ExitCode.OK;
    }
}
