// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * The workloads on Treadle, with the settings that a user has by default, but for mailboxes without a bound, as its peers
 * have them.
 */
@NullMarked
package dev.treadle.benchmarks.treadle;

import org.jspecify.annotations.NullMarked;
