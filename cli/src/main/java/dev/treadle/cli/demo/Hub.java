// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessRef;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import dev.treadle.SubmissionRefusedException;
import dev.treadle.relay.Envelope;
import dev.treadle.relay.Receiver;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Starts devices in a ring, sends their readings back to them, and replaces those that break. */
final class Hub implements Process {
    /** The entry point; its argument is how many devices to start. */
    static final String GATHER = "gather";

    /** The hub to share readings with. */
    static final String PEER = "peer";

    /** A reading from another hub. */
    static final String SHARED = "shared";

    /** A device has ended; the payload is its place in the ring. */
    private static final String BROKEN = "broken";

    /** One in so many readings is shared. */
    private static final int SHARE_ODDS = 4;

    private final Receiver scheduler;
    private final int crashOdds;
    private @Nullable ProcessContext context;
    private Pid[] ring = {};
    private @Nullable Pid peer;
    private boolean started;

    /**
     * Makes a hub.
     *
     * @param scheduler where it runs
     * @param crashOdds its devices break at one in so many readings that they pass on; 0 for never
     */
    Hub(Receiver scheduler, int crashOdds) {
        this.scheduler = scheduler;
        this.crashOdds = crashOdds;
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        if (!method.equals(GATHER)) {
            throw new IllegalArgumentException("method was " + method + ", must be " + GATHER + ": a hub can no more");
        }
        this.context = context;
        ring = new Pid[input.get(0, Integer.class)];
    }

    @Override
    public void step(Events events, StepOutput out) {
        ProcessContext context = Objects.requireNonNull(this.context);
        for (Event event : events) {
            if (event instanceof Signal signal && signal.isCancel()) {
                out.done();
                return;
            }
        }
        try {
            if (!started) {
                started = true;
                startAll(context);
            }
            for (Event event : events) {
                if (event instanceof Message message) {
                    receive(context, message);
                }
            }
        } catch (SubmissionRefusedException e) {
            out.done(); // the scheduler stops, and will ask all to end
        }
    }

    private void startAll(ProcessContext context) {
        for (int place = 0; place < ring.length; place++) {
            start(context, place);
        }
        for (int place = 0; place < ring.length; place++) {
            introduce(context, place, next(place));
        }
    }

    private void receive(ProcessContext context, Message message) {
        switch (message.topic()) {
            case Device.READING -> {
                Pid peer = this.peer;
                Reading reading = message.payload(Reading.class);
                if (peer != null && context.random().nextInt(SHARE_ODDS) == 0) {
                    context.send(peer, SHARED, reading);
                } else {
                    sendBack(context, reading);
                }
            }
            case SHARED -> sendBack(context, message.payload(Reading.class));
            case BROKEN -> replace(context, message.payload(Integer.class));
            case PEER -> peer = message.payload(Pid.class);
            default -> throw new IllegalArgumentException("unexpected " + message);
        }
    }

    private static void sendBack(ProcessContext context, Reading reading) {
        context.send(reading.origin(), Device.ARRIVED, reading);
    }

    private void replace(ProcessContext context, int place) {
        start(context, place);
        introduce(context, place, next(place));
        introduce(context, previous(place), place);
    }

    private void start(ProcessContext context, int place) {
        Pid self = context.self();
        ProcessRef device = context.spawn(new Device(self, crashOdds), Device.MEASURE);
        ring[place] = device.pid();
        var unused = device.result().whenComplete((result, failure) -> {
            if (failure != null) {
                scheduler.send(Envelope.to(self, BROKEN, place));
            }
        });
    }

    private void introduce(ProcessContext context, int place, int next) {
        context.send(ring[place], Device.NEXT, ring[next]);
    }

    private int next(int place) {
        return (place + 1) % ring.length;
    }

    private int previous(int place) {
        return (place + ring.length - 1) % ring.length;
    }
}
