// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

/** The error of a command that {@link Faults} let fail. */
public class SimulatedFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SimulatedFault(String message) {
        super(message, null, false, false); // where it was made says nothing
    }
}
