// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.util.Arrays;

/**
 * How long something took, by powers of two of nanoseconds. Immutable.
 *
 * <p>A percentile is therefore known to within a factor of two, and given as the upper end of its bucket.
 */
public final class DelayHistogram {
    static final int BUCKETS = 64;

    private final long[] counts;

    /** Takes counts by bucket; bucket b holds delays of [2^b, 2^(b+1)) nanoseconds. */
    DelayHistogram(long[] counts) {
        this.counts = counts.clone();
    }

    static int bucket(long nanos) {
        return nanos <= 1 ? 0 : 63 - Long.numberOfLeadingZeros(nanos);
    }

    /**
     * Returns how many delays were measured in each bucket: entry b counts those of at least 2^b and under 2^(b+1)
     * nanoseconds, and entry 0 also those of none.
     */
    public long[] counts() {
        return counts.clone();
    }

    /** Returns what was measured since an earlier histogram of the same scheduler. */
    public DelayHistogram since(DelayHistogram earlier) {
        long[] difference = new long[BUCKETS];
        Arrays.setAll(difference, bucket -> Math.max(0, counts[bucket] - earlier.counts[bucket]));
        return new DelayHistogram(difference);
    }

    /** Returns both together: what several schedulers measured. */
    public DelayHistogram plus(DelayHistogram that) {
        long[] sum = new long[BUCKETS];
        Arrays.setAll(sum, bucket -> counts[bucket] + that.counts[bucket]);
        return new DelayHistogram(sum);
    }

    /** Returns how many delays were measured. */
    public long count() {
        return Arrays.stream(counts).sum();
    }

    /**
     * Returns a delay that the given share of all stayed under; zero if there are none.
     *
     * @param share from 0 to 1, such as 0.99
     * @throws IllegalArgumentException if it is not
     */
    public Duration percentile(double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException(
                    "share was " + share + ", must be 0 to 1: use 0.99 for the 99th percentile");
        }
        long wanted = (long) Math.ceil(count() * share);
        long seen = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            seen += counts[bucket];
            if (seen >= wanted && seen > 0) {
                return Duration.ofNanos(bucket >= 62 ? Long.MAX_VALUE : 1L << (bucket + 1));
            }
        }
        return Duration.ZERO;
    }

    @Override
    public String toString() {
        return "DelayHistogram[" + count() + " measured, p50 < "
                + percentile(0.5).toNanos() + " ns, p99 < " + percentile(0.99).toNanos() + " ns]";
    }
}
