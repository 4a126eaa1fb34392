// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.nio.file.Path;

/**
 * A part of a file that could not be read, and was passed over.
 *
 * @param file the file
 * @param from the offset of the first byte
 * @param to the offset after the last byte
 * @param what what is wrong with it
 */
public record Damage(Path file, long from, long to, String what) {
    @Override
    public String toString() {
        return file.getFileName() + ", bytes " + from + " to " + (to - 1) + ": " + what;
    }
}
