// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

/** Ends a run that has failed, from wherever it is. */
final class RunFailed extends Error {
    private static final long serialVersionUID = 1L;

    private final transient Failure failure;

    RunFailed(Failure failure) {
        super(failure.message(), failure.cause());
        this.failure = failure;
    }

    Failure failure() {
        return failure;
    }
}
