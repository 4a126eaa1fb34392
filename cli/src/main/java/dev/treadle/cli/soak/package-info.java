// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * {@code treadle soak}: a random load with all that can go wrong, and books that must balance.
 *
 * <pre>
 *    SoakCommand            options, what is printed
 *       |
 *     Soak                  round after round until the time is up, the sum of them
 *       |  one at a time
 *     Round                 a scheduler is started, fed, stopped in one of three ways
 *       |  submit            \
 *    Soaker ... Soaker        Ledger    every message, yield, init and close is written down,
 *       |  yield             /          and at the end of the round it must add up
 *    Errand, answered by ErrandHandlers
 * </pre>
 *
 * <p>What each process does is derived from the seed. When it does it depends on the threads, so a second run from the same
 * seed is alike, not the same.
 */
@NullMarked
package dev.treadle.cli.soak;

import org.jspecify.annotations.NullMarked;
