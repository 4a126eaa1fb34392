// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VariablesTest {
    private final Variables variables = new Variables(Map.of("PORT", "80", "EMPTY", "", "DOLLAR", "a$1\\b")::get);

    @ParameterizedTest
    @CsvSource({
        "plain, plain",
        "${PORT}, 80",
        "a${PORT}b${PORT}, a80b80",
        "${NOT_SET:-90}, 90",
        "${PORT:-90}, 80",
        "${EMPTY:-90}, 90",
        "${NOT_SET:-}, ''",
        "${NOT_SET:-a:-b}, a:-b",
        "$$5, $5",
        "$${PORT}, ${PORT}",
        "5$, 5$",
        "${DOLLAR}, a$1\\b"
    })
    void whenAValueHasVariables_thenTheirValuesStandThere(String value, String filled) {
        assertThat(variables.fill(value)).isEqualTo(filled);
    }

    @Test
    void whenOneIsNotSet_thenItSaysWhatToDo() {
        assertThatThrownBy(() -> variables.fill("${HOME_OF_X}"))
                .hasMessage("the environment has no HOME_OF_X: set it, or write ${HOME_OF_X:-default}");
    }

    @Test
    void whenItIsNoName_thenItSaysSo() {
        assertThatThrownBy(() -> variables.fill("${1+1}")).hasMessageContaining("\"${1+1}\" names no variable");
    }
}
