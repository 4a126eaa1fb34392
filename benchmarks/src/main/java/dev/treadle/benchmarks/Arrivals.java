// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

/** What the consumer of fanin checks: how many messages came, and that those of each producer came in order. */
public final class Arrivals {
    private final int[] next = new int[Shape.PRODUCERS];
    private int left;

    /** Expects so many messages in all. */
    public Arrivals(int size) {
        left = size;
    }

    /** Returns the message of a producer: who it is, and the number of the message. */
    public static Long message(int producer, int number) {
        return ((long) producer << 32) | number;
    }

    /** The consumer: takes a message; true if it was the last one. */
    public boolean isLast(long message) {
        int producer = (int) (message >>> 32);
        if (next[producer]++ != (int) message) {
            throw new IllegalStateException("message " + (int) message + " of producer " + producer
                    + " came when message " + (next[producer] - 1) + " was due: this peer does not keep the order");
        }
        return --left == 0;
    }
}
