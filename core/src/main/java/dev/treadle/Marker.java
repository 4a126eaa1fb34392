// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;

/**
 * A top of an {@link EventQueue} that is no event: it holds the word, and whatever waits below it. The usual ones, with
 * nothing below, are shared by all processes.
 */
final class Marker extends EventNode {
    /** By word: one for each that says that there are no messages. Not all of them are used. */
    private static final Marker[] SHARED = new Marker[ProcessState.NO_MESSAGE_END];

    static {
        for (int word = 0; word < SHARED.length; word++) {
            SHARED[word] = new Marker(word, null);
        }
    }

    static final Marker UNBORN = of(ProcessState.UNBORN, null);
    static final Marker COMPLETE = of(ProcessState.COMPLETE, null);

    private Marker(int word, @Nullable EventNode below) {
        this.word = word;
        this.next = below;
    }

    /** Returns a shared marker if one says all there is to say. */
    static Marker of(int word, @Nullable EventNode below) {
        return below == null && word >= 0 && word < SHARED.length ? SHARED[word] : new Marker(word, below);
    }

    /** Returns the shared marker of a word that has no messages. */
    static Marker bare(int word) {
        return SHARED[word];
    }

    @Override
    public String toString() {
        return ProcessState.toString(word);
    }
}
