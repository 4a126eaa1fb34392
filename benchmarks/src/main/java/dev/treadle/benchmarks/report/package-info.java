// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/** Shows results: while they come, as a table on a terminal, and as a page with charts. */
@NullMarked
package dev.treadle.benchmarks.report;

import org.jspecify.annotations.NullMarked;
