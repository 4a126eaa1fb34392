// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

/** Gives each key one of so many places, so that one place more moves only as many keys as that place gets. */
final class ConsistentHash {
    /*
     * The jump hash of Lamping and Veach, 2014. A key starts at place 0 and jumps ahead from place to place, with random
     * numbers that only depend on the key; the last one below the number of places is its place. Places have numbers, not
     * names, which is what a pool needs: a worker that is replaced has the number of the one before it, and a pool grows
     * at its end. Expected cost: the logarithm of the number of places.
     */
    private static final long FACTOR = 2862933555777941757L;

    private ConsistentHash() {}

    static int place(Object key, int places) {
        long state = mix(key.hashCode());
        long place = -1;
        long next = 0;
        while (next < places) {
            place = next;
            state = state * FACTOR + 1;
            next = (long) ((place + 1) * ((double) (1L << 31) / ((state >>> 33) + 1)));
        }
        return (int) place;
    }

    /** Hash codes of like keys are alike, and the random numbers should not be. */
    private static long mix(long bits) {
        bits = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        bits = (bits ^ (bits >>> 27)) * 0x94d049bb133111ebL;
        return bits ^ (bits >>> 31);
    }
}
