// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static dev.treadle.Soon.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Contract line P4: no empty steps, but for the first and after again(). */
class EmptyStepTest {
    private static final int SENDERS = 3;
    private static final int PROCESSES = 5;
    private static final int MESSAGES_EACH = 4_000;

    /** P4: a process that is left alone has its first step and no other. */
    @AtWorkers
    void p4_whenNothingHappens_thenThereIsOneEmptyStep(int workers) {
        var idle = TrackedProcess.idle();
        var blocked = new TrackedProcess((events, out) -> out.await());
        try (SteppedScheduler stepped = Scheduler.builder().workers(workers).stepped()) {
            stepped.scheduler().submit(idle, "main");
            stepped.scheduler().submit(blocked, "main");

            assertThat(stepped.runAll()).isEqualTo(2);
            assertThat(idle.steps).hasValue(1);
            assertThat(blocked.steps).hasValue(1);
        }
    }

    /** P4: again() asks for one step, with or without events; once it is not said, no empty step follows. */
    @AtWorkers
    void p4_whenAgainIsSaid_thenOneStepFollowsEachTime(int workers) {
        var sizes = new ArrayList<Integer>();
        try (SteppedScheduler stepped = Scheduler.builder().workers(workers).stepped()) {
            ProcessRef ref = stepped.scheduler()
                    .submit(
                            Process.of((events, out) -> {
                                sizes.add(events.size());
                                if (sizes.size() <= 3) {
                                    out.again();
                                }
                            }),
                            "main");
            stepped.runOne(0);
            ref.send("during", null);

            stepped.runAll();

            assertThat(sizes).as("first, then three times again").containsExactly(0, 1, 0, 0);
        }
    }

    /** P4: an answer that was for a process before its upgrade is no event, and makes no step. */
    @AtWorkers
    void p4_whenOnlyAnAbandonedAnswerArrives_thenThereIsNoStep(int workers) {
        var receivers = new ArrayList<ResultReceiver>();
        var registry = new CommandRegistry().register(Ask.class, (command, receiver) -> receivers.add(receiver));
        var next = TrackedProcess.idle();
        try (SteppedScheduler stepped =
                Scheduler.builder().workers(workers).handlers(registry).stepped()) {
            stepped.scheduler()
                    .submit(
                            Process.of((events, out) -> {
                                out.yield(new Ask(), 1);
                                out.upgrade(next, "main");
                            }),
                            "main");
            stepped.runAll();

            receivers.get(0).complete("nobody waits for it");
            stepped.runAll();

            assertThat(next.steps).as("its first step alone").hasValue(1);
        }
    }

    /**
     * P4 under stress: senders, answers on the spot, answers from another thread and signals race with processes that wait
     * now for any event and now for completions. Catches a wake-up without an event, and an event that wakes twice.
     */
    @AtWorkers
    void p4_whenEventsOfAllKindsRace_thenNoStepIsEmpty(int workers) throws Exception {
        ExecutorService answers = Executors.newSingleThreadExecutor();
        var registry = new CommandRegistry()
                .register(Ask.class, (command, receiver) -> receiver.complete(null))
                .register(AskLater.class, (command, receiver) -> answers.execute(() -> receiver.complete(null)));
        try (Scheduler scheduler =
                Scheduler.builder().workers(workers).handlers(registry).start()) {
            var refs = new ArrayList<ProcessRef>();
            for (int i = 0; i < PROCESSES; i++) {
                refs.add(scheduler.submit(new Moody(i), "main"));
            }
            send(refs);
            refs.forEach(ref -> ref.send("end", null));
            for (ProcessRef ref : refs) {
                Tally tally = (Tally) ref.result().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                assertThat(tally.empty())
                        .as("empty steps, but for the first and those asked for")
                        .isZero();
                assertThat(tally.messages()).isPositive();
            }
        } finally {
            answers.shutdown();
        }
    }

    private static void send(List<ProcessRef> refs) throws InterruptedException {
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < SENDERS; i++) {
            var random = new SplittableRandom(100 + i);
            var thread = new Thread(() -> {
                for (int sent = 0; sent < MESSAGES_EACH; sent++) {
                    ProcessRef ref = refs.get(random.nextInt(refs.size()));
                    if (random.nextInt(50) == 0) {
                        ref.cancel("a nudge");
                    } else {
                        ref.send("work", null);
                    }
                    if (random.nextInt(20) == 0) {
                        Thread.yield();
                    }
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private record Ask() implements Command {}

    private record AskLater() implements Command {}

    private record Tally(long empty, long messages) {}

    /** Does something else after each step, and counts the steps that it got for nothing. */
    private static final class Moody implements Process {
        private final SplittableRandom random;
        private boolean emptyIsFine = true;
        private boolean ending;
        private int inFlight;
        private long empty;
        private long messages;

        Moody(long seed) {
            random = new SplittableRandom(seed);
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            if (events.isEmpty() && !emptyIsFine) {
                empty++;
            }
            for (Event event : events) {
                if (event instanceof Message message) {
                    messages++;
                    ending |= message.topic().equals("end");
                } else if (event instanceof Completion) {
                    inFlight--;
                }
            }
            emptyIsFine = false;
            if (ending && inFlight == 0) {
                out.done(new Tally(empty, messages));
            } else if (inFlight > 0) {
                waitSomehow(out);
            } else {
                actSomehow(out);
            }
        }

        private void waitSomehow(StepOutput out) {
            if (random.nextBoolean()) {
                out.await();
            } else {
                out.idle();
            }
        }

        private void actSomehow(StepOutput out) {
            switch (random.nextInt(4)) {
                case 0 -> out.idle();
                case 1 -> {
                    out.again();
                    emptyIsFine = true;
                }
                case 2 -> ask(out, new Ask());
                default -> ask(out, new AskLater());
            }
        }

        private void ask(StepOutput out, Command command) {
            inFlight++;
            out.yield(command, inFlight);
            waitSomehow(out);
        }
    }
}
