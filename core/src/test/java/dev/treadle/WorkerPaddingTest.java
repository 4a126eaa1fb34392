// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.info.FieldLayout;

/**
 * Goal: what a worker writes with every turn is on cache lines that no other worker needs. Method: ask the running JVM
 * where it put the fields; each JVM lays them out by rules of its own.
 */
class WorkerPaddingTest {
    private static final long ROOM_MIN = 128;

    @ParameterizedTest
    @ValueSource(
            classes = {
                Worker.Padded.class,
                WorkerCounters.Padded.class,
                WorkerQueues.Padded.class,
                NextSlot.Padded.class,
                Stepper.Padded.class,
                StepOutput.Padded.class,
                EventBatch.Padded.class,
                CommandDispatch.Padded.class
            })
    void givenWhatAWorkerWrites_thenThereIsRoomInFrontAndBehind(Class<?> type) {
        ClassLayout layout = ClassLayout.parseClass(type);
        List<FieldLayout> fields = StreamSupport.stream(layout.fields().spliterator(), false)
                .filter(field -> !field.name().matches("[pb]\\d+"))
                .sorted(Comparator.comparingLong(FieldLayout::offset))
                .toList();

        assertThat(fields).isNotEmpty();
        FieldLayout last = fields.get(fields.size() - 1);
        assertThat(fields.get(0).offset()).as("room in front").isGreaterThanOrEqualTo(ROOM_MIN);
        assertThat(layout.instanceSize() - last.offset() - last.size())
                .as("room behind")
                .isGreaterThanOrEqualTo(ROOM_MIN);
    }
}
