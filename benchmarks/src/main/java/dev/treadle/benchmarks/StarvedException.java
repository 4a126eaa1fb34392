// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

/** Some processes were ready, and did not run for as long as we waited. */
public final class StarvedException extends Exception {
    private static final long serialVersionUID = 1L;

    StarvedException(int starved, int crowd, long millis) {
        super(starved + " of " + crowd + " starved for " + millis + " ms");
    }
}
