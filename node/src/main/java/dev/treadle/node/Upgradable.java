// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Payloads;

/**
 * A process that hands over its state when it is {@linkplain Node#upgrade upgraded}. One that does not implement this is
 * started anew, with the method and input that it was spawned with.
 */
public interface Upgradable {
    /** The method that the next process is initialised with when there is state to take over. */
    String METHOD = "upgrade";

    /**
     * Returns what the next process gets as its input. Called once, between two steps, on a worker; {@code close} follows.
     * If it throws, the process ends with that.
     */
    Payloads handOver();
}
