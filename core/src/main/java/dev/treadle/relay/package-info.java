// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * Routing of messages by {@link dev.treadle.Pid}.
 *
 * <p>A {@link dev.treadle.relay.Receiver} takes an {@link dev.treadle.relay.Envelope} and says with a {@link
 * dev.treadle.relay.Delivery} what became of it. A {@link dev.treadle.Scheduler} is a receiver for the processes that it
 * runs; whatever routes between schedulers is one too.
 */
@NullMarked
package dev.treadle.relay;

import org.jspecify.annotations.NullMarked;
