// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class StatisticsTest {
    @Test
    void theMedianIsTheMiddleOneOrTheMeanOfTwo() {
        assertThat(Statistics.median(3)).isEqualTo(3);
        assertThat(Statistics.median(9, 1, 3)).isEqualTo(3);
        assertThat(Statistics.median(9, 1, 3, 4)).isEqualTo(3.5);
        assertThatIllegalArgumentException().isThrownBy(Statistics::median);
    }

    @Test
    void theSpreadIsHalfTheRangeAsAShareOfTheMedian() {
        assertThat(Statistics.spread(10, 8, 14)).isCloseTo(0.3, within(1e-9));
        assertThat(Statistics.spread(5)).isZero();
    }

    @Test
    void busyTimeIsAllButIdleAndWaiting() {
        // user nice system idle iowait irq softirq steal guest guest_nice
        var stat = List.of("cpu  1 20 300 7000 7000 4000 50000 600000 9 9", "cpu0 1");
        assertThat(Disturbance.busyTicks(stat, true)).isEqualTo(654_321);
        assertThat(Disturbance.busyTicks(stat, false)).isEqualTo(54_321);
    }

    @Test
    void ownTimeIsUserAndSystemWhateverTheProgramIsCalled() {
        assertThat(Disturbance.ownTicks("42 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 120 34 0 0 20 0"))
                .isEqualTo(154);
    }
}
