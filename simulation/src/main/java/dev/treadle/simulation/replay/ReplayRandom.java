// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.simulation.replay.Entry.Answer;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** The recorded random numbers; others, always the same, if the process draws more than it did. */
final class ReplayRandom implements RandomGenerator {
    private final ReplayRun run;
    private final RandomGenerator others = new SplittableRandom(0);

    ReplayRandom(ReplayRun run) {
        this.run = run;
    }

    private long recordedOr(Question question, LongSupplier other) {
        Answer answer = run.answer(question);
        return answer == null ? other.getAsLong() : answer.number();
    }

    private double recordedDoubleOr(Question question, DoubleSupplier other) {
        return Double.longBitsToDouble(recordedOr(question, () -> Double.doubleToRawLongBits(other.getAsDouble())));
    }

    private float recordedFloatOr(DoubleSupplier other) {
        return Float.intBitsToFloat(
                (int) recordedOr(Question.RANDOM_FLOAT, () -> Float.floatToRawIntBits((float) other.getAsDouble())));
    }

    @Override
    public boolean nextBoolean() {
        return recordedOr(Question.RANDOM_BOOLEAN, () -> others.nextBoolean() ? 1 : 0) != 0;
    }

    @Override
    public void nextBytes(byte[] bytes) {
        others.nextBytes(bytes);
        Answer answer = run.answer(Question.RANDOM_BYTES);
        if (answer != null && answer.object() instanceof Value.Bytes recorded) {
            System.arraycopy(recorded.bytes(), 0, bytes, 0, Math.min(bytes.length, recorded.bytes().length));
        }
    }

    @Override
    public int nextInt() {
        return (int) recordedOr(Question.RANDOM_INT, others::nextInt);
    }

    @Override
    public int nextInt(int bound) {
        return (int) recordedOr(Question.RANDOM_INT, () -> others.nextInt(bound));
    }

    @Override
    public int nextInt(int origin, int bound) {
        return (int) recordedOr(Question.RANDOM_INT, () -> others.nextInt(origin, bound));
    }

    @Override
    public long nextLong() {
        return recordedOr(Question.RANDOM_LONG, others::nextLong);
    }

    @Override
    public long nextLong(long bound) {
        return recordedOr(Question.RANDOM_LONG, () -> others.nextLong(bound));
    }

    @Override
    public long nextLong(long origin, long bound) {
        return recordedOr(Question.RANDOM_LONG, () -> others.nextLong(origin, bound));
    }

    @Override
    public float nextFloat() {
        return recordedFloatOr(others::nextFloat);
    }

    @Override
    public float nextFloat(float bound) {
        return recordedFloatOr(() -> others.nextFloat(bound));
    }

    @Override
    public float nextFloat(float origin, float bound) {
        return recordedFloatOr(() -> others.nextFloat(origin, bound));
    }

    @Override
    public double nextDouble() {
        return recordedDoubleOr(Question.RANDOM_DOUBLE, others::nextDouble);
    }

    @Override
    public double nextDouble(double bound) {
        return recordedDoubleOr(Question.RANDOM_DOUBLE, () -> others.nextDouble(bound));
    }

    @Override
    public double nextDouble(double origin, double bound) {
        return recordedDoubleOr(Question.RANDOM_DOUBLE, () -> others.nextDouble(origin, bound));
    }

    @Override
    public double nextGaussian() {
        return recordedDoubleOr(Question.RANDOM_GAUSSIAN, others::nextGaussian);
    }

    @Override
    public double nextGaussian(double mean, double deviation) {
        return recordedDoubleOr(Question.RANDOM_GAUSSIAN, () -> others.nextGaussian(mean, deviation));
    }

    @Override
    public double nextExponential() {
        return recordedDoubleOr(Question.RANDOM_EXPONENTIAL, others::nextExponential);
    }
}
