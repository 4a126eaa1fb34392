// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

/** Says that all workers of a {@link Pool} that could take a request have as much waiting as they may. */
public final class PoolFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PoolFullException(String message) {
        super(message, null, false, false);
    }
}
