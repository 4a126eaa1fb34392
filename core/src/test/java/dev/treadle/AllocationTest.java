// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;

/**
 * Goal: a message costs one object, a command one besides itself, a step none, a short life two. Method: a process asks the JVM how much its
 * worker has allocated, and again many steps later. Steps here go through their events by index, since an iterator vanishes
 * only in code that is compiled.
 */
class AllocationTest {
    private static final int STEPS = 50_000;

    /** What is sampled now and then, for all steps together: not one object in ten steps. */
    private static final double SLACK_BYTES = 1.5;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private record Now() implements Command {}

    private record Called() implements Command {}

    /** Counts its steps, and what was allocated from one of the first to the last. */
    private abstract static class Measured implements Process {
        ProcessContext context;
        private int steps;
        private long before;

        @Override
        public final void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public final void step(Events events, StepOutput out) {
            steps++;
            if (steps == STEPS) {
                before = THREADS.getCurrentThreadAllocatedBytes();
            }
            if (steps == 2 * STEPS) {
                out.done((double) (THREADS.getCurrentThreadAllocatedBytes() - before) / STEPS);
            } else {
                goOn(events, out);
            }
        }

        abstract void goOn(Events events, StepOutput out);
    }

    private static double bytesPerStep(Process process) {
        var registry = new CommandRegistry()
                .register(Now.class, (command, receiver) -> receiver.complete(null))
                .registerFunction(Called.class, command -> null);
        try (Scheduler scheduler =
                Scheduler.builder().workers(1).handlers(registry).start()) {
            return (double) Soon.get(scheduler.submit(process, "main").result());
        }
    }

    private static double sizeOf(Class<?> type) {
        return ClassLayout.parseClass(type).instanceSize();
    }

    @Test
    void aStepAllocatesNothing() {
        double bytes = bytesPerStep(new Measured() {
            @Override
            void goOn(Events events, StepOutput out) {
                out.again();
            }
        });

        assertThat(bytes).isLessThan(SLACK_BYTES);
    }

    @Test
    void aMessageIsOneObject() {
        double bytes = bytesPerStep(new Measured() {
            @Override
            void goOn(Events events, StepOutput out) {
                context.send(context.self(), "again", null);
            }
        });

        assertThat(bytes).isBetween(sizeOf(Message.class), sizeOf(Message.class) + SLACK_BYTES);
    }

    @Test
    void aCommandIsOneObjectBesidesItself() {
        var now = new Now();
        double bytes = bytesPerStep(new Measured() {
            @Override
            void goOn(Events events, StepOutput out) {
                out.yield(now, 1);
            }
        });

        // Of every so many in a row one goes through the queue, which takes two more.
        assertThat(bytes).isBetween(sizeOf(YieldInFlight.class), sizeOf(YieldInFlight.class) + 2 * SLACK_BYTES);
    }

    @Test
    void aCommandThatAFunctionAnswersIsOneSmallerObjectBesidesItself() {
        var called = new Called();
        double bytes = bytesPerStep(new Measured() {
            @Override
            void goOn(Events events, StepOutput out) {
                out.yield(called, 1);
            }
        });

        // Of every so many in a row one goes through the queue, which takes a larger one and two more.
        assertThat(bytes).isBetween(sizeOf(FunctionAnswer.class), sizeOf(FunctionAnswer.class) + 3 * SLACK_BYTES);
    }

    @Test
    void aLifeThatNobodyListensToIsItsCellAndItsRef() {
        Process child = Process.of((events, out) -> out.done());
        double bytes = bytesPerStep(new Measured() {
            @Override
            void goOn(Events events, StepOutput out) {
                context.spawn(child, "main");
                out.again();
            }
        });

        double arguments = sizeOf(Object[].class); // the compiler's, of the call without any
        assertThat(bytes - arguments)
                .isBetween(
                        sizeOf(ProcessCell.class), sizeOf(ProcessCell.class) + sizeOf(ProcessRef.class) + SLACK_BYTES);
    }
}
