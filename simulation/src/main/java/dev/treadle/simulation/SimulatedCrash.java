// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

/** What a step throws that {@link Faults} or {@link World#crash} let crash. */
public final class SimulatedCrash extends SimulatedFault {
    private static final long serialVersionUID = 1L;

    SimulatedCrash(String message) {
        super(message);
    }
}
