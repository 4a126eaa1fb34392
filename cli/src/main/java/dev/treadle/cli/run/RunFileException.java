// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.run;

import java.util.List;

/** A file that cannot be run, with all that is wrong in it. */
final class RunFileException extends Exception {
    private static final long serialVersionUID = 1L;

    RunFileException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
    }
}
