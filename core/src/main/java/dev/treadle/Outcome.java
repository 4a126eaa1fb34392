// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;

/** How a process ended, for those who wait for its result: a {@link ProcessExit}, or less where nobody hears of it. */
sealed interface Outcome permits ProcessExit, Outcome.Done {
    /** The usual one of a process that nobody waits for. */
    Done DONE_WITH_NOTHING = new Done(null);

    /**
     * What is kept of a process that is done, if there is no listener. A {@link ProcessExit} needs an address besides, and the
     * two were a fifth of what a process takes that ends as soon as it has begun.
     */
    record Done(@Nullable Object result) implements Outcome {}

    /** Returns the outcome of a process that is done, of whose end no listener hears. */
    static Outcome done(@Nullable Object result) {
        return result == null ? DONE_WITH_NOTHING : new Done(result);
    }
}
