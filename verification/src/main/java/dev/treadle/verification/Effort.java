// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.verification;

import java.util.List;

/** How long to try. */
enum Effort {
    /** A few seconds for each test: whether the tests and the twins work at all. */
    SMOKE("-m quick -sc false -iters 3 -jvmArgs -Xmx512m"),
    /** Several minutes in all. */
    QUICK("-m quick -sc false"),
    /** Hours: ten times as often, and with each actor compiled on its own as well. */
    FULL("-m tough");

    private static final List<String> TWIN = List.of("-m", "quick", "-sc", "false", "-iters", "3");
    private static final List<String> TWIN_AT_LENGTH = List.of("-m", "default", "-sc", "false");

    private final String flags;

    Effort(String flags) {
        this.flags = flags;
    }

    /** Returns the flags of jcstress for the production classes. */
    List<String> flags() {
        return List.of(flags.split(" "));
    }

    /** Returns the flags to try a twin with, one after the other: it is enough to catch it once. */
    List<List<String>> twinFlags() {
        return this == SMOKE ? List.of(TWIN) : List.of(TWIN, TWIN_AT_LENGTH);
    }
}
