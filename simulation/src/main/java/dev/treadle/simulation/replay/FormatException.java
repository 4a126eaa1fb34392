// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.io.IOException;

/** Bytes that are no record of ours, though their checksum is right: of another version, or made by somebody else. */
final class FormatException extends IOException {
    private static final long serialVersionUID = 1L;

    FormatException(String message) {
        super(message);
    }
}
