// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import java.time.Duration;

/**
 * A number that messages add to, and that a question reads. Begin here.
 *
 * <p>Nothing in it is synchronized, and nothing needs to be: only one thread at a time steps a process, and what one step
 * wrote the next one sees.
 */
public final class Counter implements Process {
    private ProcessContext context;
    private int total;

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        this.context = context;
        total = input.get(0, Integer.class);
    }

    @Override
    public void step(Events events, StepOutput out) {
        for (Event event : events) {
            if (event instanceof Message message) {
                receive(message);
            } else if (event instanceof Signal signal && signal.isCancel()) {
                out.done(total); // becomes the result of the process
            }
        }
    }

    private void receive(Message message) {
        switch (message.topic()) {
            case "add" -> total += message.payload(Integer.class);
            case "get" -> context.reply(message, total);
            default -> throw new IllegalArgumentException("a counter knows \"add\" and \"get\", but got " + message);
        }
    }

    /** Counts to 42. */
    public static void main(String[] args) throws Exception {
        try (Scheduler scheduler = Scheduler.builder().start()) {
            ProcessRef counter = scheduler.submit(new Counter(), "main", 40);
            counter.send("add", 2);
            System.out.println(counter.ask("get", null, Duration.ofSeconds(5)).get());
        }
    }
}
