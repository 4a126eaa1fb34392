// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;

/**
 * A top of an {@link EventQueue} that is no event: it holds the word, and whatever waits below it. The usual ones, with
 * nothing below, are shared by all processes.
 */
final class Marker extends EventNode {
    static final Marker UNBORN = new Marker(ProcessState.UNBORN, null);
    static final Marker READY = new Marker(ProcessState.READY, null);
    static final Marker BLOCKED = new Marker(ProcessState.BLOCKED, null);
    static final Marker IDLE = new Marker(ProcessState.IDLE, null);
    private static final Marker READY_2 = new Marker(ProcessState.READY | ProcessState.SIDE, null);
    private static final Marker BLOCKED_2 = new Marker(ProcessState.BLOCKED | ProcessState.SIDE, null);
    private static final Marker IDLE_2 = new Marker(ProcessState.IDLE | ProcessState.SIDE, null);
    static final Marker COMPLETE = new Marker(ProcessState.COMPLETE, null);

    private Marker(int word, @Nullable EventNode below) {
        this.word = word;
        this.next = below;
    }

    /** Returns a shared marker if one says all there is to say. */
    static Marker of(int word, @Nullable EventNode below) {
        if (below != null) {
            return new Marker(word, below);
        }
        return switch (word) {
            case ProcessState.READY -> READY;
            case ProcessState.BLOCKED -> BLOCKED;
            case ProcessState.IDLE -> IDLE;
            case ProcessState.READY | ProcessState.SIDE -> READY_2;
            case ProcessState.BLOCKED | ProcessState.SIDE -> BLOCKED_2;
            case ProcessState.IDLE | ProcessState.SIDE -> IDLE_2;
            case ProcessState.COMPLETE -> COMPLETE;
            default -> new Marker(word, null);
        };
    }

    @Override
    public String toString() {
        return ProcessState.toString(word);
    }
}
