// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.timer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;

/** A timer may be part of every yield in flight: what it adds to each is a published figure. */
class TimerNodeFootprintTest {
    private static final class Plain extends TimerNode {
        @Override
        protected void fire() {}
    }

    @Test
    void thenANodeTakesAtMost32Bytes() {
        ClassLayout layout = ClassLayout.parseClass(Plain.class);

        assertThat(layout.instanceSize()).as(layout.toPrintable()).isLessThanOrEqualTo(32);
    }
}
