// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An interrupt that a step leaves behind is not meant for any code that runs after it on the same thread. */
class InterruptTest {
    private record Later() implements Command {}

    private record Now() implements Command {}

    private final List<String> heard = new ArrayList<>();

    private final SteppedScheduler stepped = Scheduler.builder()
            .workers(1)
            .handlers(new CommandRegistry()
                    .register(Later.class, (command, receiver) -> receiver.onCancel(() -> note("onCancel")))
                    .register(Now.class, (command, receiver) -> {
                        note("handler");
                        Thread.currentThread().interrupt();
                        receiver.complete(null);
                    }))
            .stepped();

    private void note(String who) {
        heard.add(who + (Thread.currentThread().isInterrupted() ? " interrupted" : ""));
    }

    /** Notes all that is called, and leaves its thread interrupted after each step. */
    private class Interrupting implements Process {
        private final StepFunction step;

        Interrupting(StepFunction step) {
            this.step = step;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            note("init");
        }

        @Override
        public void step(Events events, StepOutput out) throws Exception {
            note("step");
            step.step(events, out);
            Thread.currentThread().interrupt();
        }

        @Override
        public void close() {
            note("close");
        }
    }

    private void run(StepFunction step, int steps) {
        ProcessRef ref = stepped.scheduler().submit(new Interrupting(step), "main");
        for (int i = 1; i < steps; i++) {
            stepped.runAll();
            ref.send("go on", null);
        }
        stepped.runAll();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void givenItEnds_thenItsCloseHearsNothing() {
        run((events, out) -> out.done(), 1);

        assertThat(heard).containsExactly("init", "step", "close");
    }

    @Test
    void givenItYields_thenTheHandlerAndTheNextStepHearNothing() {
        run(
                (events, out) -> {
                    if (events.isFirst()) {
                        out.yield(new Now(), 1);
                    } else {
                        out.done();
                    }
                },
                1);

        assertThat(heard).containsExactly("init", "step", "handler", "step", "close");
    }

    @Test
    void givenItIsUpgraded_thenNeitherTheHandlersThatStopNorTheNextOneHear() {
        run(
                (events, out) -> {
                    if (events.isFirst()) {
                        out.yield(new Later(), 1);
                        out.idle();
                    } else {
                        out.upgrade(new Interrupting((more, last) -> last.done()), "main");
                    }
                },
                2);

        assertThat(heard).containsExactly("init", "step", "step", "onCancel", "close", "init", "step", "close");
    }

    @Test
    void givenItFails_thenItsCloseHearsNothing() {
        run(
                (events, out) -> {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("on purpose");
                },
                1);

        assertThat(heard).containsExactly("init", "step", "close");
    }
}
