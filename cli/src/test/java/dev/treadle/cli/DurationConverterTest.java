// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationConverterTest {
    private final DurationConverter converter = new DurationConverter();

    @ParameterizedTest
    @CsvSource({"1ms, PT0.001S", "500ms, PT0.5S", "10s, PT10S", "2m, PT2M", "1h, PT1H", "007s, PT7S", "10000h, PT10000H"
    })
    void whenWellFormed_thenItIsRead(String text, Duration expected) {
        assertThat(converter.convert(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10",
                "s",
                "10x",
                "10 s",
                "1.5s",
                "-1s",
                "+1s",
                "10S",
                "1h30m",
                "ten s",
                "1234567890123456789s"
            })
    void whenMalformed_thenTheValueAndTheFormAreNamed(String text) {
        assertThatThrownBy(() -> converter.convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage("was '" + text
                        + "', must be a whole number and its unit, ms, s, m or h: write 500ms, 10s, 2m or 1h");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "0ms", "00h"})
    void whenZero_thenItIsRefused(String text) {
        assertThatThrownBy(() -> converter.convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage("was '" + text + "', must be more than zero: write 1s, say");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10001h", "600001m", "36000001s", "36000000001ms", "999999999999999999h"})
    void whenPastTheLimit_thenTheLimitIsNamed(String text) {
        assertThatThrownBy(() -> converter.convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage("was '" + text + "', must be at most 10000h: leave the option out for no limit");
    }
}
