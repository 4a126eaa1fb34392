// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/** The exit reason of a process that was ended by force: terminated, past a deadline, or at the end of a shutdown. */
public final class ProcessTerminatedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ProcessTerminatedException(String reason) {
        super(reason, null, false, false); // no stack: it would be that of a worker, and of no use
    }
}
