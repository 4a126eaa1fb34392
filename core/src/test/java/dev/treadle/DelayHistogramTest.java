// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** V1: the histogram of delays. */
class DelayHistogramTest {
    private static DelayHistogram of(long... nanos) {
        long[] counts = new long[DelayHistogram.BUCKETS];
        for (long each : nanos) {
            counts[DelayHistogram.bucket(each)]++;
        }
        return new DelayHistogram(counts);
    }

    @Nested
    class GivenADelay {
        @ParameterizedTest
        @CsvSource({
            "0, 0",
            "1, 0",
            "2, 1",
            "3, 1",
            "4, 2",
            "1023, 9",
            "1024, 10",
            "1025, 10",
            "4611686018427387903, 61",
            "4611686018427387904, 62",
            "9223372036854775807, 62",
            "-5, 0"
        })
        void v1_whenItIsCounted_thenItsBucketHoldsItsPowerOfTwo(long nanos, int bucket) {
            assertThat(DelayHistogram.bucket(nanos)).isEqualTo(bucket);
        }

        @Test
        void v1_whenItIsTheOnlyOne_thenAnyShareGivesABoundWithinTwiceOfIt() {
            var random = new SplittableRandom(7);
            for (int i = 0; i < 1_000; i++) {
                long nanos = 1 + (random.nextLong() >>> (2 + random.nextInt(60)));
                Duration bound = of(nanos).percentile(random.nextDouble());

                assertThat(bound.toNanos()).as("bound of %d", nanos).isGreaterThan(nanos);
                assertThat(bound.toNanos() / 2)
                        .as("half the bound of %d", nanos)
                        .isLessThanOrEqualTo(nanos);
            }
        }

        @Test
        void v1_whenItIsLongerThanAnyBucketCanSay_thenTheBoundIsTheLargestNumber() {
            assertThat(of(Long.MAX_VALUE).percentile(1)).isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
        }
    }

    @Nested
    class GivenMany {
        private final DelayHistogram histogram = of(1, 1, 1, 1, 1, 100, 100, 100, 100, 5_000);

        @ParameterizedTest
        @CsvSource({"0, 2", "0.1, 2", "0.5, 2", "0.51, 128", "0.9, 128", "0.91, 8192", "1, 8192"})
        void v1_whenAShareIsAskedFor_thenThatManyStayedUnderTheAnswer(double share, long nanos) {
            assertThat(histogram.percentile(share)).isEqualTo(Duration.ofNanos(nanos));
        }

        @Test
        void v1_whenCounted_thenAllAre() {
            assertThat(histogram.count()).isEqualTo(10);
            assertThat(histogram).hasToString("DelayHistogram[10 measured, p50 < 2 ns, p99 < 8192 ns]");
        }

        @ParameterizedTest
        @ValueSource(doubles = {-0.01, 1.01, Double.NaN, Double.POSITIVE_INFINITY})
        void v1_whenTheShareIsNone_thenItIsRefused(double share) {
            assertThatThrownBy(() -> histogram.percentile(share))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("share was " + share)
                    .hasMessageContaining("0 to 1");
        }
    }

    @Test
    void v1_whenTwoAreAddedOrSubtracted_thenEachBucketIs() {
        DelayHistogram early = of(1, 100);
        DelayHistogram late = of(1, 1, 100, 5_000);

        assertThat(late.since(early).counts()).isEqualTo(of(1, 5_000).counts());
        assertThat(early.since(late).count()).as("never less than none").isZero();
        assertThat(early.plus(late).counts())
                .isEqualTo(of(1, 1, 1, 100, 100, 5_000).counts());
    }

    @Test
    void v1_whenTheCountsThatItGaveAreChanged_thenTheHistogramDoesNot() {
        DelayHistogram histogram = of(1, 100);

        histogram.counts()[0] = 100;

        assertThat(histogram.count()).isEqualTo(2);
    }

    @Test
    void v1_whenThereIsNothing_thenAllIsZero() {
        assertThat(of().count()).isZero();
        assertThat(of().percentile(0)).isEqualTo(Duration.ZERO);
        assertThat(of().percentile(1)).isEqualTo(Duration.ZERO);
    }

    @Test
    void v1_whenTheCountsChangeLater_thenTheHistogramDoesNot() {
        long[] counts = new long[DelayHistogram.BUCKETS];
        counts[3] = 1;
        var histogram = new DelayHistogram(counts);

        counts[3] = 100;

        assertThat(histogram.count()).isEqualTo(1);
    }
}
