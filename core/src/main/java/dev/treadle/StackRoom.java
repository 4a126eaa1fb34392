// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/** Makes sure that there is stack left for what must not stop half way, in code that users call from any depth. */
final class StackRoom {
    /** More calls than waking a thread takes, in frames of the interpreter. */
    private static final int FRAMES = 64;

    private StackRoom() {}

    /**
     * Goes down, and comes back.
     *
     * @throws StackOverflowError if there is too little left: then nothing was begun
     */
    static void ensure() {
        if (down(FRAMES) != FRAMES) {
            throw new AssertionError("the frames did not add up");
        }
    }

    private static int down(int frames) {
        return frames == 0 ? 0 : down(frames - 1) + 1;
    }
}
