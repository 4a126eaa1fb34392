// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

/** What the command tells the shell. */
public final class ExitCode {
    /** It did what was asked. */
    public static final int OK = 0;

    /** It could not. */
    public static final int FAILURE = 1;

    /** What was asked makes no sense. */
    public static final int USAGE = 2;

    private ExitCode() {}
}
