// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.relay;

/** Takes envelopes and delivers them, or says why not. */
@FunctionalInterface
public interface Receiver {
    /**
     * Delivers an envelope, or passes it on. Any thread. Never blocks, and never throws for an expected outcome.
     *
     * @param envelope the message with its address
     * @return what became of it
     */
    Delivery send(Envelope envelope);
}
