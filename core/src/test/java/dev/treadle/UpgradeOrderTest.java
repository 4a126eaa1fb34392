// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.relay.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A process that is upgraded from outside, without its help. */
class UpgradeOrderTest {
    private final List<String> diary = new ArrayList<>();
    private final Hold.Held held = new Hold.Held();
    private final ManualTime time = new ManualTime();
    private final SteppedScheduler stepped = Scheduler.builder()
            .workers(1)
            .time(time)
            .handlers(new CommandRegistry().register(Hold.class, held))
            .stepped();
    private final Scheduler scheduler = stepped.scheduler();

    @AfterEach
    void close() {
        stepped.close();
    }

    private final class Life implements Process {
        private final String name;
        private ProcessContext context;

        Life(String name) {
            this.name = name;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
            diary.add(name + " init " + method + " " + input.size());
            if (method.equals("bad")) {
                throw new IllegalArgumentException("bad");
            }
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                diary.add(name + " " + (event instanceof Message message ? message.topic() : event.toString()));
                if (event instanceof Message message) {
                    switch (message.topic()) {
                        case "done" -> out.done(name);
                        case "hold" -> out.yield(new Hold(), 1);
                        case "timer" -> context.timers().after(Duration.ofSeconds(1), "rung", null);
                        default -> {}
                    }
                }
            }
        }

        @Override
        public void close() {
            diary.add(name + " close");
        }
    }

    private ProcessRef first() {
        ProcessRef ref = scheduler.submit(new Life("first"), "main");
        stepped.runAll();
        diary.clear();
        return ref;
    }

    private Delivery order(ProcessRef ref) {
        return scheduler.upgrade(ref.pid(), old -> Submission.of(new Life("second"), "next", ((Life) old).name));
    }

    @Test
    void oneThatIsIdleIsReplacedWithoutAStepOfTheOldOne() {
        ProcessRef ref = first();
        assertThat(order(ref)).isEqualTo(Delivery.DELIVERED);
        stepped.runAll();
        assertThat(diary).containsExactly("first close", "second init next 1");
        ref.send("hello", null);
        stepped.runAll();
        assertThat(diary).endsWith("second hello");
    }

    @Test
    void oneThatAwaitsIsReplacedAndItsCommandsAreDropped() throws Exception {
        ProcessRef ref = first();
        ref.send("hold", null);
        stepped.runAll();
        ref.send("hello", null); // waits, since the process awaits its command
        order(ref);
        stepped.runAll();
        ResultReceiver late = held.take();
        assertThat(late.isCancelled()).isTrue();
        assertThat(late.complete("late")).isFalse();
        assertThat(diary).containsExactly("first hold", "first close", "second init next 1", "second hello");
    }

    @Test
    void messagesThatWaitStayForTheNextOne() {
        SteppedScheduler narrow = Scheduler.builder().workers(1).eventBudget(1).stepped();
        ProcessRef ref = narrow.scheduler().submit(new Life("first"), "main");
        narrow.runAll();
        ref.send("a", null);
        narrow.scheduler().upgrade(ref.pid(), old -> Submission.of(new Life("second"), "next"));
        ref.send("b", null);
        diary.clear();
        narrow.runAll();
        assertThat(diary).containsExactly("first close", "second init next 0", "second a", "second b");
        narrow.close();
    }

    /** All of this came before the order, and no step had it yet. */
    @Test
    void whatWasForTheOldOneAloneIsNotForTheNext() throws Exception {
        ProcessRef ref = first();
        ref.send("hold", null);
        ref.send("timer", null);
        stepped.runAll();
        assertThat(held.take().complete("answer")).isTrue();
        time.advance(Duration.ofSeconds(1));
        stepped.fireTimers();
        order(ref);
        order(ref);
        diary.clear();
        stepped.runAll();
        assertThat(diary).containsExactly("first close", "second init next 1");
        assertThat(scheduler.stats().lateAnswers()).isEqualTo(1);
    }

    @Test
    void oneThatHadNoStepYetIsReplaced() {
        ProcessRef ref =
                scheduler.submit(Submission.of(new Life("first"), "main").message("hello", null));
        order(ref);
        stepped.runAll();
        assertThat(diary).containsExactly("first init main 0", "first close", "second init next 1", "second hello");
    }

    @Test
    void oneThatFailsEndsTheProcessAndEachLifeIsClosedOnce() {
        ProcessRef inInit = first();
        scheduler.upgrade(inInit.pid(), old -> Submission.of(new Life("second"), "bad"));
        stepped.runAll();
        assertThat(inInit.result()).isCompletedExceptionally();
        assertThat(diary).containsExactly("first close", "second init bad 0", "second close");

        ProcessRef inMaking = first();
        scheduler.upgrade(inMaking.pid(), old -> {
            throw new IllegalStateException("cannot make one");
        });
        stepped.runAll();
        assertThat(inMaking.result()).isCompletedExceptionally();
        assertThat(diary).containsExactly("first close");
    }

    /** What came with the order was for the next step, and there is none: it counts as unread, and requests fail. */
    @Test
    void oneThatFailsLeavesNobodyWaiting() {
        for (String method : List.of("bad", "unmade")) {
            ProcessRef ref = first();
            scheduler.upgrade(ref.pid(), old -> {
                if (method.equals("unmade")) {
                    throw new IllegalStateException("cannot make one");
                }
                return Submission.of(new Life("second"), method);
            });
            long before = scheduler.stats().deadLetters();
            ref.send("hello", null);
            CompletableFuture<?> reply = ref.ask("question", null, Duration.ofMinutes(1));
            stepped.runAll();

            assertThat(reply).isCompletedExceptionally();
            assertThatThrownBy(reply::join)
                    .hasCauseInstanceOf(AskFailedException.class)
                    .hasMessageContaining("ended");
            assertThat(scheduler.stats().deadLetters() - before).isEqualTo(2);
        }
    }

    @Test
    void oneThatHasEndedIsNotThere() {
        ProcessRef ref = first();
        ref.send("done", null);
        stepped.runAll();
        assertThat(order(ref)).isEqualTo(Delivery.NO_SUCH_PROCESS);
    }

    @Test
    void aKillComesBeforeAnOrder() {
        ProcessRef ref = first();
        order(ref);
        ref.terminate();
        stepped.runAll();
        assertThat(diary).containsExactly("first close");
        assertThat(ref.result()).isCompletedExceptionally();
    }
}
