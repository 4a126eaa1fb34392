// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/** Ends the process at its next step boundary. Never seen by a step. */
final class Kill extends EventNode {
    private final String reason;

    Kill(String reason) {
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
