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
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * A token bucket: gives out so many permits at once, and then one in each interval. Who asks for one gets the reply when
 * there is one, without a thread that waits.
 *
 * <p>It shows a timer, and requests that are kept and replied to in a later step.
 */
public final class RateLimiter implements Process {
    /** Ask this to get a permit. The reply, when it comes, is the permit. */
    public static final String TAKE = "take";

    private static final String REFILL = "refill";

    private final int burst;
    private final Duration interval;
    private final int waitingMax;
    private final Queue<Message> waiting = new ArrayDeque<>();
    private ProcessContext context;
    private int permits;

    /**
     * Makes a limiter.
     *
     * @param burst how many permits may be taken at once after a pause
     * @param interval how long until there is another one
     * @param waitingMax how many may wait; those beyond are refused at once
     */
    public RateLimiter(int burst, Duration interval, int waitingMax) {
        this.burst = burst;
        this.interval = interval;
        this.waitingMax = waitingMax;
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        this.context = context;
        permits = burst;
        context.timers().every(interval, REFILL, null);
    }

    @Override
    public void step(Events events, StepOutput out) {
        for (Event event : events) {
            if (event instanceof Message message) {
                switch (message.topic()) {
                    case TAKE -> take(message);
                    case REFILL -> refill();
                    default -> throw new IllegalArgumentException("a rate limiter knows only \"take\", got " + message);
                }
            } else if (event instanceof Signal signal && signal.isCancel()) {
                out.done(); // those who wait are told: their ask fails
            }
        }
    }

    private void take(Message request) {
        if (permits > 0) {
            permits--;
            context.reply(request, null);
        } else if (waiting.size() < waitingMax) {
            waiting.add(request);
        } else {
            context.replyError(
                    request, new IllegalStateException(waitingMax + " wait already, as many as may: try later"));
        }
    }

    private void refill() {
        for (Message next = waiting.poll(); next != null; next = waiting.poll()) {
            if (context.reply(next, null)) {
                return; // false if he has given up: then the permit is for the one after him
            }
        }
        permits = Math.min(permits + 1, burst);
    }

    /** Takes more permits than there are at once, and says when each comes. */
    public static void main(String[] args) throws Exception {
        try (Scheduler scheduler = Scheduler.builder().start()) {
            ProcessRef limiter = scheduler.submit(new RateLimiter(3, Duration.ofMillis(200), 100), "main");
            long start = System.nanoTime();
            for (int i = 1; i <= 8; i++) {
                limiter.ask(TAKE, null, Duration.ofSeconds(10)).get();
                System.out.printf("permit %d after %3d ms%n", i, (System.nanoTime() - start) / 1_000_000);
            }
        }
    }
}
