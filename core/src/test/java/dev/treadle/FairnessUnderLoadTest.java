// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * S4, with threads: processes that never stop cannot hold a worker, and get about the same share of it.
 *
 * <p>Catches: again() that goes in front of others, a next slot that is used without end, a global queue that is looked
 * at only when nothing else is left, processes that stay with one worker for ever. FairnessTest says after how many turns
 * each queue has its turn.
 */
class FairnessUnderLoadTest {
    private static final int MESSAGES = 200;
    private static final int REQUESTS = 1_000;
    private static final int STEPS_MAX = 100;
    private static final int WINDOW_SECONDS = 3;
    private static final int WINDOWS_MAX = 10;
    private static final long PATIENCE_SECONDS = 60;

    private final Semaphore answers = new Semaphore(0);

    private static Scheduler scheduler(int workers) {
        return Scheduler.builder()
                .workers(workers)
                .slowStepLimit(Duration.ofMinutes(5)) // no spare worker may help, however slow the machine
                .listener(new RecordingListener())
                .start();
    }

    private static List<Loop> submitLoops(Scheduler scheduler, int count) {
        List<Loop> loops = Stream.generate(Loop::new).limit(count).toList();
        loops.forEach(loop -> scheduler.submit(loop, "main"));
        return loops;
    }

    private Process answerer() {
        return Process.of((events, out) -> answers.release(events.size()));
    }

    private void awaitAnswer(int request) throws InterruptedException {
        assertThat(answers.tryAcquire(PATIENCE_SECONDS, SECONDS))
                .as("request %d is answered", request)
                .isTrue();
    }

    private void assertRequestsAreAnswered(ProcessRef answerer) throws InterruptedException {
        for (int i = 0; i < REQUESTS; i++) {
            answerer.send("request", i);
            awaitAnswer(i);
        }
    }

    /** The steps are read after the message was sent, so a sender that is slow cannot fail this. */
    @Test
    void s4_givenOneThatSaysAgainOnOneWorker_whenMessagesCome_thenEachIsHandledWithin100OfItsSteps()
            throws InterruptedException {
        try (Scheduler scheduler = scheduler(1)) {
            Loop loop = submitLoops(scheduler, 1).get(0);
            var stepsWhenHandled = new AtomicLong();
            ProcessRef receiver = scheduler.submit(
                    Process.of((events, out) -> {
                        stepsWhenHandled.set(loop.steps());
                        answers.release(events.size());
                    }),
                    "main");
            for (int i = 0; i < MESSAGES; i++) {
                receiver.send("work", i);
                long stepsWhenSent = loop.steps();
                awaitAnswer(i);
                assertThat(stepsWhenHandled.get() - stepsWhenSent)
                        .as("steps before message %d was handled", i)
                        .isLessThanOrEqualTo(STEPS_MAX);
            }
        }
    }

    @AtWorkers
    void s4_givenOnePerWorkerThatSaysAgain_whenRequestsCome_thenEachIsAnswered(int workers)
            throws InterruptedException {
        try (Scheduler scheduler = scheduler(workers)) {
            submitLoops(scheduler, workers);

            assertRequestsAreAnswered(scheduler.submit(answerer(), "main"));
        }
    }

    @AtWorkers
    void s4_givenOnePerWorkerThatSendsToItself_whenRequestsCome_thenEachIsAnswered(int workers)
            throws InterruptedException {
        try (Scheduler scheduler = scheduler(workers)) {
            for (int i = 0; i < workers; i++) {
                scheduler.submit(new Echo(), "main").send("start", null);
            }
            assertRequestsAreAnswered(scheduler.submit(answerer(), "main"));
        }
    }

    @AtWorkers
    void s4_givenAPairPerWorkerThatKeepsWakingEachOther_whenRequestsCome_thenEachIsAnswered(int workers)
            throws InterruptedException {
        try (Scheduler scheduler = scheduler(workers)) {
            for (int i = 0; i < workers; i++) {
                ProcessRef one = scheduler.submit(new Echo(), "main");
                ProcessRef other = scheduler.submit(new Echo(), "main");
                one.send("partner", other.pid());
                other.send("partner", one.pid());
                one.send("start", null);
            }
            assertRequestsAreAnswered(scheduler.submit(answerer(), "main"));
        }
    }

    /**
     * A machine with fewer processors than workers stops each worker now and then, and what that worker was about to run
     * as well. If it was not fair in the first three seconds, it gets more; if the scheduler is not, that does not help.
     * FairnessTest has the same without the machine.
     */
    @Test
    void s4_given12ThatSayAgainOn8Workers_thenTheSlowestRunsAtLeastHalfAsOftenAsTheFastest()
            throws InterruptedException {
        try (Scheduler scheduler = scheduler(8)) {
            List<Loop> loops = submitLoops(scheduler, 12);
            List<Long> steps;
            int windows = 0;
            do {
                SECONDS.sleep(WINDOW_SECONDS);
                steps = loops.stream().map(Loop::steps).toList();
                windows++;
            } while (!isFair(steps) && windows < WINDOWS_MAX);

            assertThat(isFair(steps)).as("steps of each: %s", steps).isTrue();
        }
    }

    private static boolean isFair(List<Long> steps) {
        long slowest = steps.stream().mapToLong(Long::longValue).min().orElseThrow();
        long fastest = steps.stream().mapToLong(Long::longValue).max().orElseThrow();
        return 2 * slowest >= fastest && slowest > 0;
    }

    /** Says again() until it gets an event. */
    private static final class Loop implements Process {
        private final AtomicLong steps = new AtomicLong();

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            steps.lazySet(steps.getPlain() + 1);
            if (events.isEmpty()) {
                out.again();
            } else {
                out.done();
            }
        }

        long steps() {
            return steps.get();
        }
    }

    /** Answers each message with a message, to itself or to its partner, for ever. */
    private static final class Echo implements Process {
        private ProcessContext context;
        private Pid partner;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
            this.partner = context.self();
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Signal) {
                    out.done();
                } else if (event instanceof Message message && message.topic().equals("partner")) {
                    partner = message.payload(Pid.class);
                } else {
                    context.send(partner, "echo", null);
                }
            }
        }
    }
}
