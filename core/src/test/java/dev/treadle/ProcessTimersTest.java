// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Timers that send messages to the process that set them. */
class ProcessTimersTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Writes down what it gets, and does with each message what it is told to. */
    private static final class Clocked implements Process {
        private final BiConsumer<ProcessContext, Message> onMessage;
        private final List<String> seen = new ArrayList<>();
        private ProcessContext context;

        Clocked(BiConsumer<ProcessContext, Message> onMessage) {
            this.onMessage = onMessage;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message) {
                    seen.add(message.topic());
                    onMessage.accept(context, message);
                }
            }
        }
    }

    @AtWorkers
    void aPeriodicTimerTicksUntilItIsCancelled(int workers) {
        var ticks = new AtomicInteger();
        try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
            var timer = new AtomicReference<ProcessTimer>();
            ProcessRef process = scheduler.submit(
                    new Process() {
                        @Override
                        public void init(ProcessContext context, String method, Payloads input) {
                            timer.set(context.timers().every(Duration.ofMillis(1), "tick", null));
                        }

                        @Override
                        public void step(Events events, StepOutput out) {
                            for (Event event : events) {
                                if (event instanceof Message message
                                        && message.topic().equals("tick")) {
                                    if (ticks.incrementAndGet() == 5) {
                                        timer.get().cancel();
                                        return; // this step may have got more of them, later ones may not
                                    }
                                } else if (event instanceof Message) {
                                    out.done(ticks.get());
                                }
                            }
                        }
                    },
                    "main");
            Soon.until("five ticks", () -> ticks.get() >= 5);
            Soon.until("the timer is off the wheel", () -> scheduler.timers.size() == 0);
            process.send("how many", null);
            assertThat(Soon.get(process.result())).isEqualTo(5);
        }
    }

    @Nested
    class GivenATimeOfOurOwn {
        private final ManualTime time = new ManualTime();
        private final RecordingListener listener = new RecordingListener();
        private final SteppedScheduler stepped = Scheduler.builder()
                .workers(1)
                .time(time)
                .mailboxCapacity(2)
                .eventBudget(1)
                .listener(listener)
                .stepped();
        private final Scheduler scheduler = stepped.scheduler();
        private final AtomicReference<ProcessTimer> timer = new AtomicReference<>();

        @AfterEach
        void close() {
            stepped.close();
        }

        private ProcessRef submit(Process process) {
            ProcessRef ref = scheduler.submit(process, "main");
            stepped.runAll();
            return ref;
        }

        private void tell(ProcessRef ref, String topic) {
            ref.send(topic, null);
            stepped.runAll();
        }

        private void pass(Duration by) {
            time.advance(by);
            stepped.fireTimers();
            stepped.runAll();
        }

        @Test
        void aTimerSendsOnceAfterItsDelay() {
            var process = new Clocked((context, message) -> {
                if (message.topic().equals("set")) {
                    timer.set(context.timers().after(SECOND, "now", 7));
                } else {
                    assertThat(message.payload(Integer.class)).isEqualTo(7);
                    assertThat(message.sender()).isEqualTo(context.self());
                }
            });
            tell(submit(process), "set");
            pass(SECOND.minusNanos(1));
            assertThat(process.seen).containsExactly("set");
            pass(Duration.ofNanos(1));
            pass(SECOND.multipliedBy(10));
            assertThat(process.seen).containsExactly("set", "now");
            assertThat(timer.get().isCancelled()).isFalse();
        }

        @Test
        void aPeriodicTimerLeavesOutWhatItMissed() {
            var process = new Clocked((context, message) -> {
                if (message.topic().equals("set")) {
                    context.timers().every(SECOND, "tick", null);
                }
            });
            tell(submit(process), "set");
            pass(SECOND);
            assertThat(process.seen).containsExactly("set", "tick");
            pass(Duration.ofMillis(5_500)); // 6.5 s: of those at 2 to 6 one is sent
            assertThat(process.seen).containsExactly("set", "tick", "tick");
            pass(Duration.ofMillis(499));
            assertThat(process.seen).hasSize(3);
            pass(Duration.ofMillis(1)); // 7 s: still on its beat
            assertThat(process.seen).hasSize(4);
        }

        @Test
        void aMessageThatWaitsAlreadyDoesNotArriveAfterACancel() {
            var process = new Clocked((context, message) -> {
                switch (message.topic()) {
                    case "set" -> timer.set(context.timers().after(SECOND, "now", null));
                    case "cancel" -> timer.get().cancel();
                    default -> {}
                }
            });
            ProcessRef ref = submit(process);
            tell(ref, "set");
            ref.send("cancel", null);
            time.advance(SECOND);
            stepped.fireTimers(); // now the mailbox holds both, and the budget is one
            assertThat(ref.inspect().orElseThrow().queueLength()).isEqualTo(2);
            stepped.runAll();
            assertThat(process.seen).containsExactly("set", "cancel");
            assertThat(timer.get().isCancelled()).isTrue();
        }

        @Test
        void theEndOfTheProcessDropsItsTimers() {
            var process = new Clocked((context, message) -> {
                context.timers().every(SECOND, "tick", null);
                context.timers().after(SECOND, "once", null);
            });
            ProcessRef ref = submit(process);
            tell(ref, "set");
            ref.terminate();
            stepped.runAll();
            assertThat(stepped.nextTimerNanos()).isEqualTo(Long.MAX_VALUE);
            assertThat(scheduler.timers.size()).isZero();
        }

        @Test
        void anUpgradeDropsTimersUnlessItKeepsYields() {
            for (boolean keeps : new boolean[] {false, true}) {
                var next = new Clocked((context, message) -> {});
                var first = new Process() {
                    @Override
                    public void init(ProcessContext context, String method, Payloads input) {
                        context.timers().after(SECOND, "now", null);
                    }

                    @Override
                    public void step(Events events, StepOutput out) {
                        if (keeps) {
                            out.upgradeKeepingYields(next, "main");
                        } else {
                            out.upgrade(next, "main");
                        }
                    }
                };
                submit(first);
                pass(SECOND);
                assertThat(next.seen).hasSize(keeps ? 1 : 0);
            }
        }

        @Test
        void aFullMailboxMakesADeadLetter() {
            var process = Process.of((events, out) -> out.await());
            ProcessRef ref = submit(new Process() {
                @Override
                public void init(ProcessContext context, String method, Payloads input) {
                    context.timers().every(SECOND, "tick", null);
                }

                @Override
                public void step(Events events, StepOutput out) throws Exception {
                    process.step(events, out);
                }
            });
            for (int i = 0; i < 5; i++) {
                pass(SECOND);
            }
            assertThat(ref.inspect().orElseThrow().queueLength()).isEqualTo(2);
            assertThat(scheduler.stats().deadLetters()).isEqualTo(3);
        }

        @Test
        void timersThatHaveFiredAreNotKept() {
            var process = new Clocked((context, message) -> context.timers().after(SECOND, "again", null));
            ProcessRef ref = submit(process);
            tell(ref, "set");
            for (int i = 0; i < 1_000; i++) {
                pass(SECOND);
            }
            assertThat(process.seen).hasSize(1_001);
            assertThat(ref.pid().cell().extras().timersTracked()).isEqualTo(1);
        }

        @Test
        void onlyTheProcessItselfMaySetThem() {
            var context = new AtomicReference<ProcessContext>();
            submit(new Process() {
                @Override
                public void init(ProcessContext given, String method, Payloads input) {
                    context.set(given);
                }

                @Override
                public void step(Events events, StepOutput out) {}
            });
            assertThatIllegalStateException()
                    .isThrownBy(() -> context.get().timers().after(SECOND, "now", null))
                    .withMessageContainingAll("set a timer", "{main|", "init and step");
        }

        @Test
        void whatIsWrongIsRefusedByValue() {
            var process = new Clocked((context, message) -> {
                ProcessTimers timers = context.timers();
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> timers.after(Duration.ofMillis(-1), "x", null))
                        .withMessageContainingAll("delay", "PT-0.001S");
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> timers.every(Duration.ZERO, "x", null))
                        .withMessageContainingAll("period", "PT0S", "positive");
            });
            ProcessRef ref = submit(process);
            tell(ref, "check");
            assertThat(ref.inspect()).as("no assertion ended it").isPresent();
        }
    }
}
