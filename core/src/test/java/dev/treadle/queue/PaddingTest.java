// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.info.FieldLayout;

/**
 * Goal: words that different threads write are on cache lines that nobody else needs. Method: ask the running JVM where it
 * put the fields; each JVM lays them out by rules of its own.
 */
class PaddingTest {
    private static final long DISTANCE_MIN = 128;

    @Test
    void givenDeque_thenItsEndsAreFarFromEachOtherAndFromTheRest() {
        assertAlone("top", WorkStealingDeque.class);
        assertAlone("bottom", WorkStealingDeque.class);
    }

    @Test
    void givenSegmentOfGlobalQueue_thenItsIndexesAreFarFromEachOtherAndFromTheRest() {
        Class<?> segment = Queues.field(new GlobalQueue<Item>(), "head").getClass();

        assertAlone("pushed", segment);
        assertAlone("popped", segment);
    }

    private static void assertAlone(String name, Class<?> type) {
        ClassLayout layout = ClassLayout.parseClass(type);
        List<FieldLayout> fields = StreamSupport.stream(layout.fields().spliterator(), false)
                .filter(field -> !field.typeClass().equals("byte"))
                .toList();
        long offset = fields.stream()
                .filter(field -> field.name().equals(name))
                .findFirst()
                .orElseThrow()
                .offset();

        assertThat(offset).as("distance from what is in front").isGreaterThanOrEqualTo(DISTANCE_MIN);
        assertThat(layout.instanceSize() - offset)
                .as("distance from what is behind")
                .isGreaterThanOrEqualTo(DISTANCE_MIN);
        assertThat(fields).filteredOn(field -> !field.name().equals(name)).allSatisfy(field -> {
            long distance = Math.abs(field.offset() - offset);
            assertThat(distance).as("from %s to %s", name, field.name()).isGreaterThanOrEqualTo(DISTANCE_MIN);
        });
    }
}
