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
import java.util.concurrent.atomic.LongAdder;

/** Takes the readings of the devices of a site, tells the recorder what they come to, and tells devices what to do. */
final class Station implements Process {
    /** A reading; the payload is a Double. */
    static final String READING = "reading";

    private static final String SUM_UP = "sum up";
    private static final double TARGET_MIN = 15;
    private static final double TARGET_RANGE = 20;

    /** What the readings of a site came to in the last while. */
    record Summary(int site, int readings, double mean, double max) {}

    private final int site;
    private final int firstDevice;
    private final int devices;
    private final Duration interval;
    private final LongAdder allReadings;
    private ProcessContext context;
    private NodeContext node;
    private int readings;
    private double sum;
    private double max;

    /**
     * Makes a station.
     *
     * @param firstDevice the number of the first device of its site
     * @param devices how many there are
     * @param interval how often it sums up
     * @param allReadings counts the readings of all stations
     */
    Station(int site, int firstDevice, int devices, Duration interval, LongAdder allReadings) {
        this.site = site;
        this.firstDevice = firstDevice;
        this.devices = devices;
        this.interval = interval;
        this.allReadings = allReadings;
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        this.context = context;
        node = NodeContext.of(context);
        context.timers().every(interval, SUM_UP, null);
    }

    @Override
    public void step(Events events, StepOutput out) {
        for (Event event : events) {
            if (event instanceof Message message && message.topic().equals(READING)) {
                add(message.payload(Double.class));
            } else if (event instanceof Message message && message.topic().equals(SUM_UP)) {
                sumUp();
            } else if (event instanceof Signal signal && signal.isCancel()) {
                out.done();
                return;
            }
        }
    }

    private void add(double value) {
        max = readings == 0 ? value : Math.max(max, value);
        sum += value;
        readings++;
        allReadings.increment();
    }

    private void sumUp() {
        if (readings > 0) {
            node.send(Recorder.NAME, Recorder.SUMMARY, new Summary(site, readings, sum / readings, max));
            readings = 0;
            sum = 0;
        }
        if (devices > 0) {
            int device = firstDevice + context.random().nextInt(devices);
            double target = TARGET_MIN + context.random().nextDouble() * TARGET_RANGE;
            node.send(Demo.deviceName(device), Device.TARGET, target);
        }
    }
}
