// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * The workloads on Apache Pekko's typed actors, with the settings of the classic ones. A behaviour is a method of an object
 * that has the state; what a sender wants to be known by goes along in the message.
 */
@NullMarked
package dev.treadle.benchmarks.pekkotyped;

import org.jspecify.annotations.NullMarked;
