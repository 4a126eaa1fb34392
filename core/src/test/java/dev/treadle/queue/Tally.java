// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

/**
 * Counts how often each item of a round was taken; once is right. Each thread has its own, so that counting does not order
 * what the threads do; they are added up in the end.
 */
final class Tally {
    private final byte[] taken;
    private int misplaced;

    Tally(int items) {
        taken = new byte[items];
    }

    void count(Item item) {
        if (taken[item.number()] < Byte.MAX_VALUE) {
            taken[item.number()]++;
        }
    }

    /** For an item that is not one of the round, or comes out of order. */
    void countMisplaced() {
        misplaced++;
    }

    Tally plus(Tally other) {
        var sum = new Tally(taken.length);
        for (int i = 0; i < taken.length; i++) {
            sum.taken[i] = (byte) Math.min(taken[i] + other.taken[i], Byte.MAX_VALUE);
        }
        sum.misplaced = misplaced + other.misplaced;
        return sum;
    }

    int lost() {
        int lost = 0;
        for (byte times : taken) {
            lost += times == 0 ? 1 : 0;
        }
        return lost;
    }

    int doubled() {
        int doubled = 0;
        for (byte times : taken) {
            doubled += times > 1 ? 1 : 0;
        }
        return doubled;
    }

    boolean isRight() {
        return lost() == 0 && doubled() == 0 && misplaced == 0;
    }

    @Override
    public String toString() {
        return lost() + " lost, " + doubled() + " doubled, " + misplaced + " misplaced of " + taken.length;
    }
}
