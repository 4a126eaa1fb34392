// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * The workloads on virtual threads, each with a mailbox: a queue of JCTools on which its one reader parks. Needs a JDK 21
 * or newer; the virtual threads come by reflection, as this module is compiled for 17.
 */
@NullMarked
package dev.treadle.benchmarks.vt;

import org.jspecify.annotations.NullMarked;
