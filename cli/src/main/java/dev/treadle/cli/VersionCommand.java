// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code treadle version}: says the same as {@code treadle --version}. */
@Command(
        name = "version",
        description = "Says which Treadle this is, and what it runs on.",
        footer = {"", "Example:", "  treadle version     add this to a bug report"})
final class VersionCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        for (String line : new Version().getVersion()) {
            out.println(line);
        }
        out.flush();
        return ExitCode.OK;
    }
}
