// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import dev.treadle.EntryPoints;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import dev.treadle.StepFunction;
import dev.treadle.StepOutput;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Two processes that send each other a ball. One class, two entry points: who submits a player says with the method whether
 * it serves or waits for the ball.
 */
public final class PingPong {
    private PingPong() {}

    /** One of the two. Its result is how many times it has hit the ball. */
    static final class Player implements Process {
        private ProcessContext context;
        private Payloads input;
        private StepFunction step;
        private int hits;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
            this.input = input;
            step = EntryPoints.of("serve", this::serve).and("wait", this::play).find(method); // refuses any other
        }

        @Override
        public void step(Events events, StepOutput out) throws Exception {
            step.step(events, out);
        }

        private void serve(Events events, StepOutput out) {
            hit(input.get(0, Pid.class), input.get(1, Integer.class), out);
            step = this::play; // a state machine: the next step is another function
        }

        private void play(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message) {
                    int hitsLeft = message.payload(Integer.class);
                    if (hitsLeft == 0) {
                        out.done(hits);
                    } else {
                        hit(Objects.requireNonNull(message.sender()), hitsLeft, out);
                    }
                }
            }
        }

        private void hit(Pid opponent, int hitsLeft, StepOutput out) {
            hits++;
            context.send(opponent, "ball", hitsLeft - 1);
            if (hitsLeft == 1) {
                out.done(hits); // the ball does not come back
            }
        }
    }

    /** Plays, and returns how many times both together have hit the ball. */
    static int play(Scheduler scheduler, int hits) throws Exception {
        ProcessRef waiting = scheduler.submit(new Player(), "wait");
        ProcessRef serving = scheduler.submit(new Player(), "serve", waiting.pid(), hits);
        return hitsOf(waiting) + hitsOf(serving);
    }

    private static int hitsOf(ProcessRef player) throws Exception {
        return (Integer) Objects.requireNonNull(player.result().get(1, TimeUnit.MINUTES));
    }

    /** Plays a long match, and says how long one hit takes. */
    public static void main(String[] args) throws Exception {
        try (Scheduler scheduler = Scheduler.builder().start()) {
            long start = System.nanoTime();
            int hits = play(scheduler, 1_000_000);
            System.out.printf("%,d hits, %d ns each%n", hits, (System.nanoTime() - start) / hits);
        }
    }
}
