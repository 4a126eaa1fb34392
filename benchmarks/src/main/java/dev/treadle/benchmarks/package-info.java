// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/** The {@code treadle bench} command. */
@NullMarked
package dev.treadle.benchmarks;

import org.jspecify.annotations.NullMarked;
