// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

/**
 * The layout of the word at the top of a {@link WorkStealingDeque}, and the arithmetic of its indexes.
 *
 * <pre>
 *  63                              20 19             0
 * +----------------------------------+----------------+
 * |               tag                |     index      |
 * +----------------------------------+----------------+
 * </pre>
 *
 * <p>Indexes count modulo 2^20. The tag goes up by one with every change of the word, so a thread that finds the word
 * unchanged knows that nobody changed it in between.
 */
final class TopWord {
    /*
     * Why a tag cannot come round. A compare-and-set is fooled only if, between its read and its write, the word is
     * changed a whole multiple of 2^44 times and ends with the same index. At the most that one core was seen to do, 6 *
     * 10^7 changes per second and nothing else, that takes three days; at an impossible 10^9, almost five hours. The
     * thread would have to be stopped that long between two neighbouring instructions while the owner is not, and wake up
     * at the very change.
     *
     * Why 20 bits of index do. Of two indexes at most 2^19 - 1 apart, distance() tells which is ahead. A deque holds at
     * most 2^18 items. Code that compares an index with a word read earlier must be sure that the word has not changed
     * since, or be content with a wrong answer.
     */
    static final int INDEX_BITS = 20;
    static final int INDEX_MASK = (1 << INDEX_BITS) - 1;
    static final long TAG_MAX = -1L >>> INDEX_BITS;

    private static final long TAG_ONE = 1L << INDEX_BITS;
    private static final int SIGN_SHIFT = Integer.SIZE - INDEX_BITS;

    private TopWord() {}

    static long of(long tag, int index) {
        return (tag << INDEX_BITS) | index;
    }

    static int index(long word) {
        return (int) word & INDEX_MASK;
    }

    static long tag(long word) {
        return word >>> INDEX_BITS;
    }

    /** Returns the word that makes everyone fail who read {@code word}, and moves nothing. */
    static long renewed(long word) {
        return word + TAG_ONE;
    }

    /** Returns the word after {@code count} items were taken. */
    static long advanced(long word, int count) {
        return of(tag(word) + 1, add(index(word), count));
    }

    static int add(int index, int count) {
        return (index + count) & INDEX_MASK;
    }

    /** Returns how far {@code to} is ahead of {@code from}; negative if it is behind. */
    static int distance(int from, int to) {
        return (to - from) << SIGN_SHIFT >> SIGN_SHIFT;
    }

    static String toString(long word) {
        return "(tag " + tag(word) + ", index " + index(word) + ")";
    }
}
