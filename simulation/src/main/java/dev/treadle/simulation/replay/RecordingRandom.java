// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Passes on random numbers, with a note of each. What is noted is what the caller got, not what the generator drew for it: how a
 * bounded number is made of drawn ones may change from one JDK to the next.
 */
final class RecordingRandom implements RandomGenerator {
    /*
     * Streams are those of the interface, made of the calls below. A SplittableRandom of its own would split itself for them,
     * so in streams alone a recorded process sees other numbers than one that is not recorded.
     */
    private final RandomGenerator random;
    private final Notes notes;

    /** Takes notes. */
    interface Notes {
        void drawn(Question question, long number, @Nullable Object object);
    }

    RecordingRandom(RandomGenerator random, Notes notes) {
        this.random = random;
        this.notes = notes;
    }

    private int noted(int number) {
        notes.drawn(Question.RANDOM_INT, number, null);
        return number;
    }

    private long noted(long number) {
        notes.drawn(Question.RANDOM_LONG, number, null);
        return number;
    }

    private float noted(float number) {
        notes.drawn(Question.RANDOM_FLOAT, Float.floatToRawIntBits(number), null);
        return number;
    }

    private double noted(Question question, double number) {
        notes.drawn(question, Double.doubleToRawLongBits(number), null);
        return number;
    }

    @Override
    public boolean nextBoolean() {
        boolean value = random.nextBoolean();
        notes.drawn(Question.RANDOM_BOOLEAN, value ? 1 : 0, null);
        return value;
    }

    @Override
    public void nextBytes(byte[] bytes) {
        random.nextBytes(bytes);
        notes.drawn(Question.RANDOM_BYTES, 0, bytes.clone());
    }

    @Override
    public int nextInt() {
        return noted(random.nextInt());
    }

    @Override
    public int nextInt(int bound) {
        return noted(random.nextInt(bound));
    }

    @Override
    public int nextInt(int origin, int bound) {
        return noted(random.nextInt(origin, bound));
    }

    @Override
    public long nextLong() {
        return noted(random.nextLong());
    }

    @Override
    public long nextLong(long bound) {
        return noted(random.nextLong(bound));
    }

    @Override
    public long nextLong(long origin, long bound) {
        return noted(random.nextLong(origin, bound));
    }

    @Override
    public float nextFloat() {
        return noted(random.nextFloat());
    }

    @Override
    public float nextFloat(float bound) {
        return noted(random.nextFloat(bound));
    }

    @Override
    public float nextFloat(float origin, float bound) {
        return noted(random.nextFloat(origin, bound));
    }

    @Override
    public double nextDouble() {
        return noted(Question.RANDOM_DOUBLE, random.nextDouble());
    }

    @Override
    public double nextDouble(double bound) {
        return noted(Question.RANDOM_DOUBLE, random.nextDouble(bound));
    }

    @Override
    public double nextDouble(double origin, double bound) {
        return noted(Question.RANDOM_DOUBLE, random.nextDouble(origin, bound));
    }

    @Override
    public double nextGaussian() {
        return noted(Question.RANDOM_GAUSSIAN, random.nextGaussian());
    }

    @Override
    public double nextGaussian(double mean, double deviation) {
        return noted(Question.RANDOM_GAUSSIAN, random.nextGaussian(mean, deviation));
    }

    @Override
    public double nextExponential() {
        return noted(Question.RANDOM_EXPONENTIAL, random.nextExponential());
    }
}
