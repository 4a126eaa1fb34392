// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FiguresTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "7.4, 7",
        "999.4, 999",
        "999.6, 1.00k",
        "1234, 1.23k",
        "9996, 10.0k",
        "12345, 12.3k",
        "99960, 100k",
        "999499, 999k",
        "999500, 1.00M",
        "1040000, 1.04M",
        "9223372036854775807, 9.22E"
    })
    void whenRounded_thenThreeDigitsAndAUnit(double count, String expected) {
        assertThat(Figures.rounded(count)).isEqualTo(expected);
    }

    @Test
    void whenNegative_thenRoundedRefuses() {
        assertThatThrownBy(() -> Figures.rounded(-1)).hasMessageContaining("count was -1.0, must be zero or more");
    }

    @Test
    void whenRateIsAsked_thenItIsBySecond() {
        assertThat(Figures.perSecond(3_000, Duration.ofMillis(500))).isEqualTo("6.00k");
        assertThat(Figures.perSecond(3_000, Duration.ZERO))
                .as("no time, no rate")
                .isEqualTo("0");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 ns",
        "512, 512 ns",
        "1024, 1.0 us",
        "2000, 2 us",
        "131072, 131 us",
        "2097152, 2.1 ms",
        "134217728, 134 ms",
        "4294967296, 4.3 s"
    })
    void whenDelay_thenTheUnitFits(long nanos, String expected) {
        assertThat(Figures.delay(Duration.ofNanos(nanos))).isEqualTo(expected);
    }

    @Test
    void whenLocaleHasOtherMarks_thenTheFiguresStayTheSame() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            assertThat(Figures.exact(1_234_567)).isEqualTo("1,234,567");
            assertThat(Figures.rounded(1_234)).isEqualTo("1.23k");
            assertThat(Figures.seconds(Duration.ofMillis(12_500))).isEqualTo("12.5 s");
            assertThat(Figures.delay(Duration.ofNanos(1_500))).isEqualTo("1.5 us");
        } finally {
            Locale.setDefault(before);
        }
    }
}
