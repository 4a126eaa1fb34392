// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * The workloads on Apache Pekko's classic actors. One dispatcher with as many threads as the others have workers, a
 * mailbox for a single consumer, and more messages per turn than the default, as is advised for many small messages.
 */
@NullMarked
package dev.treadle.benchmarks.pekko;

import org.jspecify.annotations.NullMarked;
