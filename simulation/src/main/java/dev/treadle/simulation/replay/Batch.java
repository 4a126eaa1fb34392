// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.util.List;

/**
 * Some entries of a life, in a row, on their way to the file.
 *
 * @param life whose
 * @param first the number of the first
 * @param entries the entries, with their positions
 */
record Batch(long life, long first, List<Noted> entries) {
    /** An entry, and how many events of its step the process had gone to. */
    record Noted(Entry entry, int position) {}
}
