// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import dev.treadle.node.NodeContext;
import java.time.Duration;

/** The twin of a device: measures, tells its station, takes commands, and breaks now and then. */
final class Device implements Process {
    /** Sets what it heats to; the payload is a Double. */
    static final String TARGET = "target";

    /** Asks for its {@link State}. */
    static final String STATE = "state";

    /** Breaks it. */
    static final String BREAK = "break";

    private static final String MEASURE = "measure";
    private static final double START = 20;

    /** What a device says of itself. */
    record State(String device, double value, double target, int readings) {}

    private final String name;
    private final String station;
    private final Duration interval;
    private final int crashOdds;
    private ProcessContext context;
    private NodeContext node;
    private double value = START;
    private double target = START;
    private int readings;

    /**
     * Makes a device.
     *
     * @param station the name of who gets its readings
     * @param interval how long it waits between two readings, and up to twice as long
     * @param crashOdds it breaks at one in so many readings; 0 for never
     */
    Device(String name, String station, Duration interval, int crashOdds) {
        this.name = name;
        this.station = station;
        this.interval = interval;
        this.crashOdds = crashOdds;
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        this.context = context;
        node = NodeContext.of(context);
        // Spread over the interval, so that a fleet that was started at once does not measure at once.
        long millis = Math.floorMod(name.hashCode() * 31L, interval.toMillis());
        context.timers().after(Duration.ofMillis(millis), MEASURE, null);
    }

    @Override
    public void step(Events events, StepOutput out) {
        for (Event event : events) {
            if (event instanceof Message message) {
                receive(message);
            } else if (event instanceof Signal signal && signal.isCancel()) {
                out.done();
                return;
            }
        }
    }

    private void receive(Message message) {
        switch (message.topic()) {
            case MEASURE -> measure();
            case TARGET -> target = message.payload(Double.class);
            case STATE -> context.reply(message, new State(name, value, target, readings));
            case BREAK -> throw new DeviceBrokenException(name);
            default -> throw new IllegalArgumentException(name + " got an unknown " + message);
        }
    }

    private void measure() {
        if (crashOdds > 0 && context.random().nextInt(crashOdds) == 0) {
            throw new DeviceBrokenException(name);
        }
        value += (target - value) / 4 + context.random().nextDouble() - 0.5;
        readings++;
        node.send(station, Station.READING, value);
        context.timers().after(interval.plusMillis(context.random().nextLong(interval.toMillis())), MEASURE, null);
    }

    /** What a device that breaks throws. */
    static final class DeviceBrokenException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        DeviceBrokenException(String name) {
            super(name + " broke: its site starts it again");
        }
    }
}
