// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.Scheduler;
import dev.treadle.UnknownMethodException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PingPongTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 1_001})
    void whenTheyPlay_thenTheBallIsHitAsOftenAsSaidAndBothEnd(int hits) throws Exception {
        try (Scheduler scheduler = Scheduler.builder().workers(2).start()) {
            assertThat(PingPong.play(scheduler, hits)).isEqualTo(hits);
        }
    }

    @Test
    void whenThereIsNoSuchEntryPoint_thenThePlayerIsNotStarted() {
        try (Scheduler scheduler = Scheduler.builder().workers(1).start()) {
            assertThatThrownBy(() -> scheduler.submit(new PingPong.Player(), "cheat"))
                    .isInstanceOf(UnknownMethodException.class)
                    .hasMessageContaining("serve")
                    .hasMessageContaining("wait");
            assertThat(scheduler.stats().alive()).isZero();
        }
    }
}
