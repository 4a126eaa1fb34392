// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.util.Objects;

/**
 * How a program that {@link RunProgram} ran ended by itself.
 *
 * @param exitCode 0 by custom if all went well
 * @param output what it wrote to its standard output
 * @param errors what it wrote to its standard error
 */
public record ProgramResult(int exitCode, Bytes output, Bytes errors) {
    /** Makes a result, as a unit test of a process needs it. */
    public ProgramResult {
        Objects.requireNonNull(output, "output is null: use Bytes.EMPTY for none");
        Objects.requireNonNull(errors, "errors is null: use Bytes.EMPTY for none");
    }

    /** Returns whether the exit code is 0. */
    public boolean isSuccess() {
        return exitCode == 0;
    }
}
