// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/** Runs a whole node on one thread, from one seed, in virtual time and with faults, and runs it again exactly. */
@NullMarked
package dev.treadle.simulation;

import org.jspecify.annotations.NullMarked;
