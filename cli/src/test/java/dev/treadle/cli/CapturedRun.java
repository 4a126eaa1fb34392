// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** A run of the command in this JVM, with what it printed. */
public record CapturedRun(int exitCode, String out, String err) {
    /** Runs the command as it is. */
    public static CapturedRun of(String... args) {
        return of(Main.commandLine(), args);
    }

    static CapturedRun of(CommandLine line, String... args) {
        var out = new StringWriter();
        var err = new StringWriter();
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int exitCode = line.execute(args);
        return new CapturedRun(exitCode, out.toString(), err.toString());
    }
}
