// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * {@code treadle simulate}: a test of a whole system, run with one seed after the other.
 *
 * <pre>
 *   SimulateCommand       options, progress, the report and its page
 *      |
 *   a Trial of the user's, or LostDeposit, which has a bug to be found
 * </pre>
 */
@NullMarked
package dev.treadle.cli.simulate;

import org.jspecify.annotations.NullMarked;
