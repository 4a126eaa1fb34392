// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Y4, Y5: what becomes of commands in flight when their process is upgraded. */
class UpgradeYieldsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Hold.Held held = new Hold.Held();
    private final ManualTime time = new ManualTime();
    private final CommandRegistry registry =
            new CommandRegistry().register(Hold.class, held).register(Echo.class, Echo.HANDLER);
    private final SteppedScheduler stepped = Scheduler.builder()
            .workers(1)
            .eventBudget(1) // so that what comes behind "upgrade" is still queued when it happens
            .time(time)
            .handlers(registry)
            .stepped();

    /** What the second life was given, step by step. */
    private final List<String> seen = new ArrayList<>();

    @AfterEach
    void close() {
        stepped.close();
    }

    /** Yields as told; "upgrade" puts the next one in its place. */
    private static Process first(Process next, boolean keepsYields, BiConsumer<Process, StepOutput> begin) {
        return Process.of((events, out) -> {
            if (events.isEmpty()) {
                out.idle();
                begin.accept(next, out);
            } else if (events.get(0) instanceof Message) {
                if (keepsYields) {
                    out.upgradeKeepingYields(next, "main");
                } else {
                    out.upgrade(next, "main");
                }
            }
        });
    }

    private final Process second = Process.of((events, out) -> seen.add(describe(events)));

    private static String describe(Events events) {
        var texts = new ArrayList<String>();
        for (Event event : events) {
            texts.add(
                    event instanceof Completion completion
                            ? completion.tag() + " " + (completion.isFailed() ? "failed" : completion.data())
                            : event instanceof Message message ? message.topic() : "signal");
        }
        return String.join(",", texts);
    }

    private ProcessRef submit(Process process) {
        ProcessRef ref = stepped.scheduler().submit(process, "main");
        stepped.runAll();
        return ref;
    }

    private long lateAnswers() {
        return stepped.scheduler().stats().lateAnswers();
    }

    @Nested
    class GivenAnUpgradeThatDropsYields {
        @Test
        void y4_anAnswerAfterTheUpgradeIsDroppedAndCounted() throws Exception {
            ProcessRef process = submit(first(second, false, (next, out) -> out.yield(new Hold(), 1)));
            ResultReceiver receiver = held.take();
            process.send("upgrade", null);
            stepped.runAll();

            assertThat(receiver.isCancelled()).isTrue();
            assertThat(receiver.complete("late")).isFalse();
            stepped.runAll();
            assertThat(seen).as("the first step, and no other").containsExactly("");
            assertThat(lateAnswers()).isEqualTo(1);
        }

        /** Y4, P4: answered in time, but not read: it is dropped, and the new one is not stepped for it. */
        @Test
        void y4_anAnswerThatIsQueuedDuringTheUpgradeIsDroppedAndCounted() throws Exception {
            ProcessRef process = submit(first(second, false, (next, out) -> {
                out.yield(new Hold(), 1);
                out.yield(new Hold(), 2);
                out.idle();
            }));
            process.send("upgrade", null);
            assertThat(held.take().complete("unread")).isTrue();
            process.send("between", null);
            assertThat(held.take().complete("unread")).isTrue();
            stepped.runAll();

            assertThat(seen).containsExactly("", "between");
            assertThat(lateAnswers()).isEqualTo(2);
        }

        /** Y4: the command was yielded by the step that said upgrade, and answered before the next one was there. */
        @Test
        void y4_anAnswerOnTheSpotInTheStepOfTheUpgradeIsDroppedAndCounted() {
            submit(first(second, false, (next, out) -> {
                out.yield(new Echo("of the first life"), 1);
                out.upgrade(next, "main");
            }));

            assertThat(seen).containsExactly("");
            assertThat(lateAnswers()).isEqualTo(1);
        }

        /** Y4: the one that is not answered is told to stop. */
        @Test
        void y5_aCommandOfTheStepOfTheUpgradeIsToldToStop() throws Exception {
            submit(first(second, false, (next, out) -> {
                out.yield(new Hold(), 1, SECOND);
                out.upgrade(next, "main");
            }));

            assertThat(held.take().isCancelled()).isTrue();
            assertThat(stepped.nextTimerNanos())
                    .as("nothing times out any more")
                    .isEqualTo(Long.MAX_VALUE);
        }

        /** Y4: a tag is used again by the new one: only the answer to its own command counts. */
        @Test
        void y4_theSameTagInTheNextLifeIsAnotherCommand() throws Exception {
            Process next = Process.of((events, out) -> {
                seen.add(describe(events));
                if (events.isEmpty()) {
                    out.yield(new Hold(), 1);
                }
            });
            ProcessRef process = submit(first(next, false, (ignored, out) -> out.yield(new Hold(), 1)));
            ResultReceiver ofFirst = held.take();
            process.send("upgrade", null);
            stepped.runAll();
            ResultReceiver ofSecond = held.take();
            assertThat(ofFirst.complete("of the first")).isFalse();
            assertThat(ofSecond.complete("of the second")).isTrue();
            stepped.runAll();

            assertThat(seen).containsExactly("", "1 of the second");
        }

        /**
         * P5, Y4: a thread that answers a command of the old one loses its processor before the answer is in the queue,
         * and the upgrade happens meanwhile. The new one awaits a command of its own: what is left of the old one must not
         * make its messages arrive before that.
         */
        @Test
        void p5_whatIsLeftOfTheOldOneDoesNotWakeTheNewOne() throws Exception {
            Process next = Process.of((events, out) -> {
                seen.add(describe(events));
                if (events.isEmpty()) {
                    out.yield(new Hold(), 2);
                    out.await();
                }
            });
            ProcessRef process = submit(first(next, false, (ignored, out) -> out.yield(new Hold(), 1)));
            var ofFirst = (YieldInFlight) held.take();
            process.send("upgrade", null);
            stepped.runAll();
            process.send("must wait", null);
            stepped.scheduler().routing.pushUrgent(process.pid().cell(), ofFirst); // the thread goes on
            stepped.runAll();
            assertThat(seen).as("the message waits for the completion").containsExactly("");
            held.take().complete("now");
            stepped.runAll();

            assertThat(seen).containsExactly("", "must wait", "2 now");
        }
    }

    @Nested
    class GivenAnUpgradeThatKeepsYields {
        @Test
        void theAnswersReachTheNewOneWithTheirTags() throws Exception {
            ProcessRef process = submit(first(second, true, (next, out) -> {
                out.yield(new Hold(), 1);
                out.yield(new Hold(), 2);
                out.yield(new Hold(), 3, SECOND);
                out.idle();
            }));
            ResultReceiver queued = held.take();
            ResultReceiver later = held.take();
            process.send("upgrade", null);
            queued.complete("queued");
            stepped.runAll();
            assertThat(later.isCancelled()).isFalse();
            assertThat(stepped.scheduler().inspect(process.pid()).orElseThrow().yieldsInFlight())
                    .isEqualTo(2);
            later.complete("later");
            time.advance(SECOND.plusMillis(2));
            stepped.fireTimers();
            stepped.runAll();

            assertThat(seen).containsExactly("1 queued", "2 later", "3 failed");
            assertThat(lateAnswers()).isZero();
        }

        @Test
        void anAnswerOnTheSpotInTheStepOfTheUpgradeReachesTheNewOne() {
            submit(first(second, true, (next, out) -> {
                out.yield(new Echo("kept"), 1);
                out.upgradeKeepingYields(next, "main");
            }));

            assertThat(seen).containsExactly("1 kept");
        }

        @Test
        void y5_theEndOfTheNewOneTellsTheHandlersOfTheOldOne() throws Exception {
            ProcessRef process = submit(first(second, true, (next, out) -> out.yield(new Hold(), 1)));
            process.send("upgrade", null);
            stepped.runAll();
            process.terminate();
            stepped.runAll();

            assertThat(held.take().isCancelled()).isTrue();
        }

        @Test
        void y4_aSecondUpgradeThatDropsThemDropsThem() throws Exception {
            Process middle = first(second, false, (next, out) -> {});
            ProcessRef process = submit(first(middle, true, (next, out) -> out.yield(new Hold(), 1)));
            process.send("upgrade", null);
            stepped.runAll();
            process.send("upgrade", null);
            stepped.runAll();

            assertThat(held.take().complete("late")).isFalse();
            stepped.runAll();
            assertThat(seen).containsExactly("");
        }
    }

    /**
     * Y4: a process is upgraded again and again while another thread answers its commands with the number of the life that
     * gave them. Each life reads its own only, and what nobody reads is counted.
     */
    @AtWorkers
    void y4_noLifeReadsTheAnswersOfAnother(int workers) {
        record Ask(int life) implements Command {}
        int lives = 3_000;
        ExecutorService answers = Executors.newSingleThreadExecutor();
        var asked = new AtomicLong();
        var read = new AtomicLong();
        var wrong = new AtomicLong();
        final class Life implements Process {
            private final int number;

            Life(int number) {
                this.number = number;
            }

            @Override
            public void init(ProcessContext context, String method, Payloads input) {}

            @Override
            public void step(Events events, StepOutput out) {
                for (Event event : events) {
                    if (event instanceof Completion completion) {
                        read.incrementAndGet();
                        wrong.addAndGet(completion.data(Integer.class) == number ? 0 : 1);
                    }
                }
                if (number == lives) {
                    out.done();
                    return;
                }
                if (events.isEmpty() || number % 3 == 0) {
                    out.yield(new Ask(number), number);
                    out.yield(new Ask(number), number);
                    asked.addAndGet(2);
                }
                if (!events.isEmpty() || number % 3 == 1) {
                    out.upgrade(new Life(number + 1), "main");
                }
            }
        }
        var asking = new CommandRegistry()
                .register(Ask.class, (command, receiver) -> answers.execute(() -> receiver.complete(command.life())));
        try (Scheduler scheduler =
                Scheduler.builder().workers(workers).handlers(asking).start()) {
            Soon.get(scheduler.submit(new Life(0), "main").result());
            answers.shutdown();
            Soon.until("all answered", answers::isTerminated);

            assertThat(wrong).as("answers of another life").hasValue(0);
            assertThat(read).doesNotHaveValue(0);
            assertThat(read.get() + scheduler.stats().lateAnswers())
                    .as("read or counted")
                    .isEqualTo(asked.get());
        }
    }
}
