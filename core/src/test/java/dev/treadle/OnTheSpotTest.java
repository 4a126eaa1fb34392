// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Goal (Y3): answers on the spot do not recurse, however many come in a row. Method: one process yields a command again
 * and again, and its handler answers at once; the depth of the stack is looked at, and the workers have a small one.
 * Catches: an answer that steps the process, or dispatches, or wakes another on the stack of the one before.
 */
class OnTheSpotTest {
    private static final long STACK_BYTES = 160 * 1024;

    /** Has less stack than one frame for each answer would need. */
    private static final ThreadFactory SMALL_STACKS = task -> {
        Thread thread = new Thread(null, task, "small", STACK_BYTES);
        thread.setDaemon(true);
        return thread;
    };

    private final AtomicInteger deepest = new AtomicInteger();
    private final AtomicInteger shallowest = new AtomicInteger(Integer.MAX_VALUE);

    private Scheduler start(int workers) {
        return Scheduler.builder()
                .workers(workers)
                .threads(SMALL_STACKS)
                .handlers(new CommandRegistry()
                        .register(Echo.class, Echo.HANDLER)
                        .register(Measure.class, (command, receiver) -> {
                            int depth = StackWalker.getInstance().walk(frames -> (int) frames.count());
                            deepest.accumulateAndGet(depth, Math::max);
                            shallowest.accumulateAndGet(depth, Math::min);
                            receiver.complete(null);
                        }))
                .start();
    }

    /** Far less than one for each of the answers. */
    private static final int FRAMES_APART_MAX = 8;

    private record Measure() implements Command {}

    /** Yields a command at each step, so many times. */
    private static final class Loop implements Process {
        private final Command command;
        private final int rounds;
        private int answers = -1;

        Loop(Command command, int rounds) {
            this.command = command;
            this.rounds = rounds;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            answers += Math.max(1, events.size());
            if (answers == rounds) {
                out.done(answers);
            } else {
                out.yield(command, answers);
            }
        }
    }

    @AtWorkers
    void y3_theStackIsAsDeepAtEachAnswer(int workers) {
        try (Scheduler scheduler = start(workers)) {
            Object answers = Soon.get(
                    scheduler.submit(new Loop(new Measure(), 2_000), "main").result());

            assertThat(answers).isEqualTo(2_000);
            assertThat(deepest.get() - shallowest.get())
                    .as("frames between the first turn, and those of a row, which are called from another place")
                    .isLessThanOrEqualTo(FRAMES_APART_MAX);
        }
    }

    @AtWorkers
    void y3_manyAnswersInARowNeedNoMoreStackThanOne(int workers) {
        answerInARow(workers, 200_000);
    }

    @Test
    void y3_tenMillionAnswersInARowNeedNoMoreStackThanOne() {
        answerInARow(1, 10_000_000);
    }

    private void answerInARow(int workers, int rounds) {
        try (Scheduler scheduler = start(workers)) {
            var loop = new Loop(new Echo("same"), rounds);

            assertThat(Soon.get(scheduler.submit(loop, "main").result())).isEqualTo(rounds);
            assertThat(scheduler.stats().total().steps()).isEqualTo(rounds + 1L);
        }
    }

    /** Y3: each of a row of processes answers the command of the one before, on the spot: no stack of answers builds up. */
    @AtWorkers
    void y3_aChainOfProcessesThatAnswerEachOtherDoesNotRecurse(int workers) throws Exception {
        int length = 20_000;
        record Answer(ResultReceiver receiver) implements Command {}
        var held = new Hold.Held();
        var registry = new CommandRegistry().register(Hold.class, held).register(Answer.class, (command, receiver) -> {
            command.receiver().complete(null);
            receiver.complete(null);
        });
        try (Scheduler scheduler = Scheduler.builder()
                .workers(workers)
                .threads(SMALL_STACKS)
                .handlers(registry)
                .start()) {
            ResultReceiver before = null;
            for (int i = 0; i < length; i++) {
                ResultReceiver receiver = before;
                scheduler.submit(
                        Process.of((events, out) -> {
                            if (events.isEmpty()) {
                                out.yield(new Hold(), 0);
                            } else if (receiver != null && ((Completion) events.get(0)).tag() == 0) {
                                out.yield(new Answer(receiver), 1);
                            } else {
                                out.done("answered");
                            }
                        }),
                        "main");
                before = held.take();
            }
            before.complete(null);

            Soon.until("all done", () -> scheduler.stats().completed() == length);
            assertThat(scheduler.stats().lateAnswers()).isZero();
        }
    }
}
