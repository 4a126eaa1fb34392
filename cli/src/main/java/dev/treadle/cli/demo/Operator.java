// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import dev.treadle.commands.HttpExchange;
import dev.treadle.commands.HttpReply;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** Looks at devices over HTTP, as somebody outside would: one after the other, at random. */
final class Operator implements Process {
    private static final String LOOK = "look";
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final URI api;
    private final int devices;
    private final LongAdder looks;
    private ProcessContext context;
    private boolean looking;

    /**
     * Makes an operator.
     *
     * @param api where the devices are
     * @param devices how many there are
     * @param looks counts the good replies
     */
    Operator(URI api, int devices, LongAdder looks) {
        this.api = api;
        this.devices = devices;
        this.looks = looks;
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        this.context = context;
        context.timers().every(PAUSE, LOOK, null);
    }

    @Override
    public void step(Events events, StepOutput out) {
        out.idle();
        for (Event event : events) {
            if (event instanceof Message && !looking) {
                looking = true;
                out.yield(
                        HttpExchange.get(
                                api.resolve("/devices/" + context.random().nextInt(devices))),
                        1,
                        TIMEOUT);
            } else if (event instanceof Completion completion) {
                looking = false;
                if (completion.data() instanceof HttpReply reply && reply.status() == 200) {
                    looks.increment(); // else it is just being started again, or the demo is ending
                }
            } else if (event instanceof Signal signal && signal.isCancel()) {
                out.done();
                return;
            }
        }
    }
}
