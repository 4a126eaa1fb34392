// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.util.concurrent.CompletableFuture.delayedExecutor;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.relay.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * E1, when processes ignore the cancel signal and wait on: a shutdown does not spend its timeout on those that nothing can
 * happen to any more. It must not take a process for one of these that still waits for something.
 */
class ShutdownQuietTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(40);

    /** Well before the timeout, and long enough for a machine that has other things to do. */
    private static final Duration SOON = Duration.ofSeconds(20);

    private static final long A_WHILE_MILLIS = 100;

    /** Is answered after a while. */
    private record Pause() implements Command {}

    /** Is never answered. */
    private record Wait() implements Command {}

    private SchedulerBuilder scheduler(int workers) {
        var registry = new CommandRegistry()
                .register(
                        Pause.class,
                        (pause, receiver) -> delayedExecutor(A_WHILE_MILLIS, MILLISECONDS)
                                .execute(() -> receiver.complete("rested")))
                .register(Wait.class, (wait, receiver) -> {});
        return Scheduler.builder().workers(workers).handlers(registry);
    }

    @Nested
    class GivenProcessesThatNothingCanHappenTo {
        @AtWorkers
        void e1_whenAHundredThousandIgnoreTheSignal_thenTheyDoNotCostTheTimeoutAndEachIsClosedOnce(int workers) {
            int count = 100_000;
            var closes = new AtomicIntegerArray(count);
            var exits = new AtomicInteger();
            Scheduler scheduler = scheduler(workers)
                    .listener(new SchedulerListener() {
                        @Override
                        public void onComplete(ProcessExit exit) {
                            if (exit.kind() == ProcessExit.Kind.TERMINATED) {
                                exits.incrementAndGet();
                            }
                        }
                    })
                    .start();
            for (int i = 0; i < count; i++) {
                scheduler.submit(new Deaf(i, closes), "main");
            }

            ShutdownReport report = scheduler.shutdown(TIMEOUT);

            assertThat(report.waiting()).as("%s", report).isEqualTo(count);
            assertThat(report.ended() + report.forced()).as("%s", report).isZero();
            assertThat(report.isGraceful()).isTrue();
            assertThat(report.elapsed()).isLessThan(SOON);
            for (int i = 0; i < count; i++) {
                assertThat(closes.get(i)).as("closes of process %d", i).isEqualTo(1);
            }
            assertThat(exits).hasValue(count);
            assertThat(scheduler.stats().completed()).isEqualTo(count);
        }

        @AtWorkers
        void e1_whenOneAwaitsWithoutACommandInFlight_thenItIsWaitingToo(int workers) throws Exception {
            Scheduler scheduler = scheduler(workers).start();
            ProcessRef blocked = scheduler.submit(Process.of((events, out) -> out.await()), "main");
            ProcessRef idle = scheduler.submit(ProbeProcess.deaf(), "main");

            ShutdownReport report = scheduler.shutdown(TIMEOUT);

            assertThat(report.waiting()).as("%s", report).isEqualTo(2);
            assertThat(report.elapsed()).isLessThan(SOON);
            assertThat(List.of(blocked, idle))
                    .allSatisfy(ref -> assertThat(ref.result()).isCompletedExceptionally());
        }

        @AtWorkers
        void e1_whenTheirCloseTakesTime_thenTheRestOfTheTimeoutIsForThat(int workers) {
            int count = 20 * workers;
            List<ProbeProcess> processes = new ArrayList<>();
            Scheduler scheduler = scheduler(workers).start();
            for (int i = 0; i < count; i++) {
                var slowToClose = new ProbeProcess((context, events, out) -> {}, () -> Thread.sleep(60));
                processes.add(slowToClose);
                scheduler.submit(slowToClose, "main");
            }

            ShutdownReport report = scheduler.shutdown(TIMEOUT);

            assertThat(report.waiting()).as("%s", report).isEqualTo(count);
            assertThat(report.stuck()).as("%s", report).isEmpty();
            assertThat(processes)
                    .allSatisfy(process -> assertThat(process.closes).hasValue(1));
            assertThat(scheduler.stats().listenerFailures())
                    .as("closes that were interrupted though the time was not up")
                    .isZero();
        }
    }

    @Nested
    class GivenAProcessThatStillWaitsForSomething {
        @AtWorkers
        void e1_whenACommandIsInFlight_thenItsAnswerIsWaitedFor(int workers) {
            Scheduler scheduler = scheduler(workers).start();
            ProcessRef ref = scheduler.submit(
                    Process.of((events, out) -> {
                        for (Event event : events) {
                            if (event instanceof Signal) {
                                out.yield(new Pause(), 1);
                                out.idle();
                            } else if (event instanceof Completion completion) {
                                out.done(completion.data());
                            }
                        }
                    }),
                    "main");
            scheduler.submit(ProbeProcess.deaf(), "main");

            ShutdownReport report = scheduler.shutdown(TIMEOUT);

            assertThat(ref.result()).isCompletedWithValue("rested");
            assertThat(report.ended()).as("%s", report).isEqualTo(1);
            assertThat(report.waiting()).as("%s", report).isEqualTo(1);
            assertThat(report.elapsed()).isLessThan(SOON);
        }

        @AtWorkers
        void e1_whenATimeoutIsSet_thenItIsWaitedFor(int workers) {
            Scheduler scheduler = scheduler(workers).start();
            ProcessRef ref = scheduler.submit(
                    Process.of((events, out) -> {
                        for (Event event : events) {
                            if (event instanceof Signal) {
                                out.yield(new Wait(), 1, Duration.ofMillis(A_WHILE_MILLIS));
                            } else if (event instanceof Completion completion) {
                                out.done(completion.error());
                            }
                        }
                    }),
                    "main");

            ShutdownReport report = scheduler.shutdown(TIMEOUT);

            assertThat(ref.result().join()).isInstanceOf(CommandTimeoutException.class);
            assertThat(report.ended()).as("%s", report).isEqualTo(1);
            assertThat(report.elapsed()).isBetween(Duration.ofMillis(A_WHILE_MILLIS), SOON);
        }

        @AtWorkers
        void e1_whenItsInitStillRuns_thenItIsWaitedForAndThenAsked(int workers) throws Exception {
            Scheduler scheduler = scheduler(workers).start();
            var inInit = new CountDownLatch(1);
            var mayGoOn = new CountDownLatch(1);
            var process = new SlowToStart(inInit, mayGoOn);
            var submitted = Aside.run(() -> scheduler.submit(process, "main"));
            inInit.await();
            scheduler.submit(ProbeProcess.deaf(), "main");
            var report = Aside.run(() -> scheduler.shutdown(TIMEOUT));
            Soon.until(scheduler::isStopping);
            delayedExecutor(A_WHILE_MILLIS, MILLISECONDS).execute(mayGoOn::countDown);

            assertThat(report.get(60, SECONDS).ended()).isEqualTo(1);
            assertThat(submitted.get(60, SECONDS).result()).isCompletedWithValue("asked");
            assertThat(process.closes).hasValue(1);
        }

        @AtWorkers
        void e1_whenTwoGoOnTalking_thenTheyAreNotTakenForWaiting(int workers) {
            for (int round = 0; round < 50; round++) {
                Scheduler scheduler = scheduler(workers).start();
                int hops = 200;
                ProcessRef one = scheduler.submit(new Talker(hops), "main");
                ProcessRef two = scheduler.submit(new Talker(hops), "main");
                one.send("partner", two.pid());
                two.send("partner", one.pid());

                ShutdownReport report = scheduler.shutdown(TIMEOUT);

                assertThat(report.ended()).as("round %d: %s", round, report).isEqualTo(2);
            }
        }
    }

    @Test
    void e1_whenAKillIsSetForAProcessThatHasEnded_thenItIsNotWaitedFor() throws Exception {
        Scheduler scheduler = scheduler(2).start();
        ProcessRef obedient = scheduler.submit(ProbeProcess.obedient(), "main");
        scheduler.submit(ProbeProcess.deaf(), "main");
        obedient.cancel("no longer needed", Duration.ofHours(1));
        obedient.result().get(60, SECONDS);

        ShutdownReport report = scheduler.shutdown(TIMEOUT);

        assertThat(report.waiting()).as("%s", report).isEqualTo(1);
        assertThat(report.elapsed()).isLessThan(SOON);
    }

    /** Small, as there are many; ignores all. */
    private record Deaf(int number, AtomicIntegerArray closes) implements Process {
        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {}

        @Override
        public void close() {
            closes.incrementAndGet(number);
        }
    }

    /** Its init returns when the test lets it; it ends when it is asked to. */
    private record SlowToStart(CountDownLatch inInit, CountDownLatch mayGoOn, AtomicInteger closes) implements Process {
        SlowToStart(CountDownLatch inInit, CountDownLatch mayGoOn) {
            this(inInit, mayGoOn, new AtomicInteger());
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) throws Exception {
            inInit.countDown();
            mayGoOn.await();
        }

        @Override
        public void step(Events events, StepOutput out) {
            if (ProbeProcess.isCancelled(events)) {
                out.done("asked");
            }
        }

        @Override
        public void close() {
            closes.incrementAndGet();
        }
    }

    /** Asked to end, it sends so many messages to its partner, one for each that it gets back, and then ends. */
    private static final class Talker implements Process {
        private final int hops;
        private ProcessContext context;
        private Pid partner;
        private int answered;
        private boolean partnerIsDone;

        Talker(int hops) {
            this.hops = hops;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            boolean cancelled = false;
            for (Event event : events) {
                if (event instanceof Signal) {
                    cancelled = true;
                } else if (event instanceof Message message) {
                    hear(message, out);
                }
            }
            if (cancelled) {
                say("question");
            }
        }

        private void hear(Message message, StepOutput out) {
            switch (message.topic()) {
                case "partner" -> partner = message.payload(Pid.class);
                case "question" -> context.send(message.sender(), "answer", null);
                case "over" -> partnerIsDone = true;
                default -> {
                    if (++answered < hops) {
                        say("question");
                    } else {
                        say("over");
                    }
                }
            }
            if (partnerIsDone && answered == hops) {
                out.done(); // not before: the partner may still have questions
            }
        }

        private void say(String topic) {
            assertThat(context.send(partner, topic, null)).isEqualTo(Delivery.DELIVERED);
        }
    }
}
