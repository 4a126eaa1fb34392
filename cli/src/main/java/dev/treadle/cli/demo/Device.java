// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Measures, sends its reading around, passes on those of others, and breaks now and then.
 *
 * <p>A reading is lost when a device on its way breaks. So a device rests all the time, beside what else it does, and
 * when it has waited for a reading for {@value #RESTS_UNTIL_LOST} rests it takes it for lost, and measures again.
 */
final class Device implements Process {
    /** The entry point. */
    static final String MEASURE = "measure";

    /** A reading to pass on. */
    static final String READING = "reading";

    /** A reading of one's own that has come round. */
    static final String ARRIVED = "arrived";

    /** The neighbour to pass readings on to. */
    static final String NEXT = "next";

    static final int REST_MILLIS_MAX = 2_000;
    static final int RESTS_UNTIL_LOST = 5;
    private static final int HOPS_MAX = 8;

    /** One in so many readings that arrive is followed by ... */
    private static final int MEASURE_AGAIN_ODDS = 2;

    private static final int STORE_ODDS = 16;
    private static final long REST_TAG = 1;
    private static final long STORE_TAG = 2;

    private final Pid hub;
    private final int crashOdds;
    private @Nullable ProcessContext context;
    private Pid next;
    private int round;
    private int arrivedRound;
    private byte restsWaited;
    private boolean started;
    private boolean storing;

    /**
     * Makes a device.
     *
     * @param crashOdds it breaks at one in so many readings that it passes on; 0 for never
     */
    Device(Pid hub, int crashOdds) {
        this.hub = hub;
        this.next = hub;
        this.crashOdds = crashOdds;
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        if (!method.equals(MEASURE)) {
            throw new IllegalArgumentException(
                    "method was " + method + ", must be " + MEASURE + ": a device can no more");
        }
        this.context = context;
    }

    @Override
    public void step(Events events, StepOutput out) {
        ProcessContext context = Objects.requireNonNull(this.context);
        if (!started) {
            started = true;
            out.yield(rest(context.random()), REST_TAG);
        }
        for (Event event : events) {
            if (event instanceof Message message) {
                receive(context, message, out);
            } else if (event instanceof Completion completion) {
                resume(context, completion, out);
            } else if (event instanceof Signal signal && signal.isCancel()) {
                out.done();
                return;
            }
        }
        if (storing) {
            out.await();
        } else {
            out.idle();
        }
    }

    private void receive(ProcessContext context, Message message, StepOutput out) {
        switch (message.topic()) {
            case READING -> passOn(context, message.payload(Reading.class));
            case ARRIVED -> arrived(context, message.payload(Reading.class), out);
            case NEXT -> next = message.payload(Pid.class);
            default -> throw new IllegalArgumentException("unexpected " + message);
        }
    }

    private void passOn(ProcessContext context, Reading reading) {
        if (crashOdds > 0 && context.random().nextInt(crashOdds) == 0) {
            throw new DeviceBrokenException();
        }
        if (reading.hops() == 0
                || !context.send(next, READING, reading.passedOn()).isDelivered()) {
            context.send(hub, READING, reading); // at its end, or the neighbour is broken and not yet replaced
        }
    }

    private void arrived(ProcessContext context, Reading reading, StepOutput out) {
        if (reading.round() != round || arrivedRound == round) {
            return; // taken for lost before
        }
        arrivedRound = round;
        RandomGenerator random = context.random();
        if (random.nextInt(STORE_ODDS) == 0 && !storing) {
            storing = true;
            out.yield(new Store(round), STORE_TAG);
        } else if (random.nextInt(MEASURE_AGAIN_ODDS) == 0) {
            measure(context);
        }
    }

    private void resume(ProcessContext context, Completion completion, StepOutput out) {
        if (completion.tag() == STORE_TAG) {
            storing = false;
            return;
        }
        out.yield(rest(context.random()), REST_TAG);
        if (arrivedRound == round || ++restsWaited == RESTS_UNTIL_LOST) {
            measure(context);
        }
    }

    private void measure(ProcessContext context) {
        round++;
        restsWaited = 0;
        context.send(
                next,
                READING,
                new Reading(context.self(), round, context.random().nextInt(HOPS_MAX)));
    }

    private static Rest rest(RandomGenerator random) {
        return new Rest(1 + random.nextInt(REST_MILLIS_MAX));
    }

    /** What a device that breaks throws. */
    static final class DeviceBrokenException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        DeviceBrokenException() {
            super("the device broke: its hub puts another in its place");
        }
    }
}
