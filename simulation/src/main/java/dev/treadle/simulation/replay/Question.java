// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

/** What a process asks its context, and cannot know before. */
enum Question {
    NANOS("time().nanos()"),
    INSTANT("time().instant()"),
    IS_CANCELLED("isCancelled()"),
    CARRIED("carried()"),
    RANDOM_BOOLEAN("random().nextBoolean()"),
    RANDOM_INT("random().nextInt"),
    RANDOM_LONG("random().nextLong"),
    RANDOM_FLOAT("random().nextFloat"),
    RANDOM_DOUBLE("random().nextDouble"),
    RANDOM_GAUSSIAN("random().nextGaussian"),
    RANDOM_EXPONENTIAL("random().nextExponential"),
    RANDOM_BYTES("random().nextBytes");

    final String call;

    Question(String call) {
        this.call = call;
    }

    boolean isRandom() {
        return compareTo(RANDOM_BOOLEAN) >= 0;
    }
}
