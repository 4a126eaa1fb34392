// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Collection;

/** Thrown by {@code init}, and so by {@code submit}, for a method that the process does not have. */
public final class UnknownMethodException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /**
     * Names the method and what could have been asked for.
     *
     * @param method the name that was asked for
     * @param known the names that exist
     */
    public UnknownMethodException(String method, Collection<String> known) {
        super("method was \"" + method + "\", must be one of " + known
                + ": pass one of these to submit or spawn, or add the entry point");
    }
}
