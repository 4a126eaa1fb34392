// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * The workloads on {@code fj}: the actor that a good engineer writes in an afternoon on a {@link
 * java.util.concurrent.ForkJoinPool}, with a mailbox from JCTools. It has no address, no look-up, no lifecycle and no
 * fairness, and shows what those cost.
 */
@NullMarked
package dev.treadle.benchmarks.fj;

import org.jspecify.annotations.NullMarked;
