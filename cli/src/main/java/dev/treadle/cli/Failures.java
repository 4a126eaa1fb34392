// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import java.io.PrintWriter;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Says what a command failed with: one line, or the stack as well if asked for. */
public final class Failures implements IExecutionExceptionHandler {
    private final BooleanSupplier debug;

    /** Makes one that shows the stack if so asked when something fails. */
    public Failures(BooleanSupplier debug) {
        this.debug = debug;
    }

    @Override
    public int handleExecutionException(Exception thrown, CommandLine line, ParseResult arguments) {
        PrintWriter err = line.getErr();
        if (debug.getAsBoolean()) {
            thrown.printStackTrace(err);
        } else {
            String message = thrown.getMessage();
            err.println("treadle: "
                    + (message == null || message.isBlank() ? thrown.getClass().getSimpleName() : message));
            err.println("Add --debug to see where in the code.");
        }
        err.flush();
        return ExitCode.FAILURE;
    }
}
