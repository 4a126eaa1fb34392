// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link Recorder} has done so far.
 *
 * @param lives how many processes it has recorded; one that was upgraded counts again
 * @param entries how many entries were written: events, what the process asked and did
 * @param dropped how many entries were not, because the writer was behind, the disk failed, or the room was used up
 * @param bytes how many bytes were written
 * @param failure the last thing that went wrong, or null
 */
public record RecorderStats(
        long lives,
        long entries,
        long dropped,
        long bytes,
        @Nullable String failure) {}
