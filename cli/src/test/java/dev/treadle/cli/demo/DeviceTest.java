// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.CommandRegistry;
import dev.treadle.Event;
import dev.treadle.Message;
import dev.treadle.Process;
import dev.treadle.ProcessInfo;
import dev.treadle.ProcessRef;
import dev.treadle.ResultReceiver;
import dev.treadle.Scheduler;
import dev.treadle.SteppedScheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A device alone with a hub that only listens, stepped by hand. */
class DeviceTest {
    private static final int NEVER = 0;

    private final ArrayDeque<ResultReceiver> resting = new ArrayDeque<>();
    private final ArrayDeque<ResultReceiver> storing = new ArrayDeque<>();
    private final List<Reading> readings = new ArrayList<>();
    private SteppedScheduler stepped;
    private ProcessRef hub;
    private ProcessRef device;

    @BeforeEach
    void start() {
        stepped = Scheduler.builder()
                .workers(1)
                .seed(1)
                .handlers(new CommandRegistry()
                        .register(Rest.class, (rest, receiver) -> resting.add(receiver))
                        .register(Store.class, (store, receiver) -> storing.add(receiver)))
                .stepped();
        hub = stepped.scheduler()
                .submit(
                        Process.of((events, out) -> {
                            for (Event event : events) {
                                if (event instanceof Message message
                                        && message.topic().equals(Device.READING)) {
                                    readings.add(message.payload(Reading.class));
                                }
                            }
                        }),
                        "listen");
        device = stepped.scheduler().submit(new Device(hub.pid(), NEVER), Device.MEASURE);
        stepped.runAll();
    }

    @AfterEach
    void stop() {
        stepped.close();
    }

    @Test
    void whenStarted_thenItRestsFirst() {
        assertThat(resting).hasSize(1);
        assertThat(readings).isEmpty();
        assertThat(device.inspect()).map(ProcessInfo::state).contains(ProcessInfo.State.IDLE);
    }

    @Test
    void whenRested_thenItSendsOneReadingAndRestsAgain() {
        rest();

        assertThat(readings).singleElement().satisfies(reading -> {
            assertThat(reading.origin()).isEqualTo(device.pid());
            assertThat(reading.round()).isEqualTo(1);
        });
        assertThat(resting).hasSize(1);
    }

    @Test
    void whenAReadingIsOnItsWay_thenNoOtherIsSentUntilItIsTakenForLost() {
        rest();
        for (int i = 1; i < Device.RESTS_UNTIL_LOST; i++) {
            rest();
            assertThat(readings).as("after %d more rests", i).hasSize(1);
        }

        rest();

        assertThat(readings).extracting(Reading::round).containsExactly(1, 2);
    }

    @Test
    void whenALostReadingArrivesAfterAll_thenItDoesNotCount() {
        for (int i = 0; i <= Device.RESTS_UNTIL_LOST; i++) {
            rest();
        }
        Reading late = readings.get(0);

        for (int i = 0; i < 100; i++) {
            arrive(late);
        }

        assertThat(readings).hasSize(2);
        assertThat(storing).isEmpty();
    }

    @Test
    void whenTheSameReadingArrivesAgain_thenItCountsOnce() {
        rest();
        arrive(readings.get(0));
        int sent = readings.size();
        int stored = storing.size();

        for (int i = 0; i < 100; i++) {
            arrive(readings.get(0));
        }

        assertThat(readings).hasSize(sent);
        assertThat(storing).hasSize(stored);
    }

    @Test
    void whenItStores_thenItIsBlockedUntilTheAnswerComes() {
        for (int i = 0; i < 1_000 && storing.isEmpty(); i++) {
            rest();
            arrive(readings.get(readings.size() - 1));
        }
        assertThat(storing).hasSize(1);
        int before = readings.size();
        device.send(Device.READING, new Reading(hub.pid(), 7, 0));
        stepped.runAll();
        assertThat(device.inspect()).map(ProcessInfo::state).contains(ProcessInfo.State.BLOCKED);
        assertThat(readings).as("a message waits").hasSize(before);

        storing.remove().complete(1);
        stepped.runAll();

        assertThat(device.inspect()).map(ProcessInfo::state).contains(ProcessInfo.State.IDLE);
        assertThat(readings).as("and is passed on").hasSize(before + 1);
    }

    @Test
    void whenTheNeighbourIsBroken_thenReadingsGoToTheHub() {
        ProcessRef neighbour = stepped.scheduler().submit(new Device(hub.pid(), NEVER), Device.MEASURE);
        device.send(Device.NEXT, neighbour.pid());
        neighbour.terminate();
        stepped.runAll();

        var reading = new Reading(hub.pid(), 7, 3);
        device.send(Device.READING, reading);
        stepped.runAll();

        assertThat(readings).containsExactly(reading);
    }

    @Test
    void whenAReadingHasHopsLeft_thenTheNeighbourGetsIt() {
        ProcessRef neighbour = stepped.scheduler().submit(new Device(hub.pid(), NEVER), Device.MEASURE);
        device.send(Device.NEXT, neighbour.pid());

        device.send(Device.READING, new Reading(hub.pid(), 7, 1));
        stepped.runAll();

        assertThat(readings).as("one hop less, by way of the neighbour").containsExactly(new Reading(hub.pid(), 7, 0));
    }

    /** Ends the device's rest, after it has stored what it stores. */
    private void rest() {
        resting.remove().complete(null);
        stepped.runAll();
    }

    private void arrive(Reading reading) {
        device.send(Device.ARRIVED, reading);
        stepped.runAll();
    }
}
