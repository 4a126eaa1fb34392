// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static dev.treadle.Soon.LIMIT;
import static dev.treadle.Soon.reaches;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.relay.Delivery;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract line M4: signals come before waiting messages. */
class SignalTest {
    private final List<String> got = new ArrayList<>();

    /** Notes what each step gets, and waits for the next signal. */
    private Process noting() {
        return Process.of((events, out) -> {
            var words = new ArrayList<String>();
            for (Event event : events) {
                words.add(
                        event instanceof Signal signal
                                ? signal.kind() + " " + signal.reason()
                                : ((Message) event).topic());
            }
            got.add(String.join(", ", words));
            out.await();
        });
    }

    /** M4: a signal overtakes all messages that wait; signals among themselves stay in order. */
    @AtWorkers
    void m4_whenMessagesWait_thenSignalsComeFirst(int workers) {
        try (SteppedScheduler stepped = Scheduler.builder().workers(workers).stepped()) {
            ProcessRef ref = stepped.scheduler().submit(noting(), "main");
            stepped.runAll();
            ref.send("a", null);
            ref.send("b", null);
            ref.cancel("first");
            ref.send("c", null);
            ref.cancel("second");
            ref.send("d", null);

            stepped.runAll();

            assertThat(got).containsExactly("", "CANCEL first, CANCEL second, a, b, c, d");
        }
    }

    /** M4: a signal also overtakes messages that were set aside, because a step before could not take them all. */
    @AtWorkers
    void m4_whenMessagesWereSetAside_thenSignalsComeFirst(int workers) {
        try (SteppedScheduler stepped =
                Scheduler.builder().workers(workers).eventBudget(2).stepped()) {
            ProcessRef ref = stepped.scheduler().submit(noting(), "main");
            stepped.runAll();
            for (String topic : new String[] {"a", "b", "c", "d", "e"}) {
                ref.send(topic, null);
            }
            ref.cancel("first");
            stepped.runAll();
            assertThat(got).containsExactly("", "CANCEL first, a");

            ref.cancel("second");
            ref.cancel("third");
            ref.cancel("fourth");
            stepped.runAll();

            assertThat(got).containsExactly("", "CANCEL first, a", "CANCEL second, CANCEL third", "CANCEL fourth, b");
            assertThat(ref.inspect().orElseThrow().queueLength())
                    .as("c, d and e wait on")
                    .isEqualTo(3);
        }
    }

    /** M4: signals of every kind do so, not only those that ask to end. */
    @AtWorkers
    void m4_signalsOfEveryKindComeFirst(int workers) {
        try (SteppedScheduler stepped = Scheduler.builder().workers(workers).stepped()) {
            ProcessRef ref = stepped.scheduler().submit(noting(), "main");
            ProcessCell cell = ref.pid().cell();
            ref.send("a", null);
            for (Signal.Kind kind : Signal.Kind.values()) {
                // It is queued for its first step, so nobody needs to wake it.
                assertThat(cell.pushUrgent(Signal.of(kind, "word", ref.pid()))).isEqualTo(EventStack.Push.QUEUED);
            }
            ref.send("b", null);

            stepped.runAll();

            assertThat(got).containsExactly("CANCEL word, EXIT word, LINK_DOWN word, a, b");
        }
    }

    /** M4: with threads: the step that a signal wakes gets it first, however many messages wait. */
    @AtWorkers
    void m4_whenASignalWakes_thenTheStepGetsItFirst(int workers) {
        try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
            var process = new TrackedProcess[1];
            process[0] = new TrackedProcess((events, out) -> {
                out.await();
                if (!events.isEmpty()) {
                    out.done(events.get(0) + " of " + events.size() + ", cancelled: "
                            + process[0].context().isCancelled());
                }
            });
            ProcessRef ref = scheduler.submit(process[0], "main");
            reaches(ref, ProcessInfo.State.BLOCKED);
            assertThat(process[0].context().isCancelled()).isFalse();
            for (int i = 0; i < 1_000; i++) {
                ref.send("n", i);
            }
            assertThat(ref.cancel("enough")).isEqualTo(Delivery.DELIVERED);

            assertThat(ref.result()).succeedsWithin(LIMIT).isEqualTo("Signal[CANCEL, enough] of 64, cancelled: true");
        }
    }

    @Test
    void whenASignalHasNoKindOrReason_thenItIsRefused() {
        assertThatThrownBy(() -> Signal.of(null, "why", null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> Signal.of(Signal.Kind.EXIT, null, null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("reason is null: say why, in words that help the reader of a log");
        Signal signal = Signal.of(Signal.Kind.EXIT, "why", Pid.of("main", 3));
        assertThat(signal).hasToString("Signal[EXIT, why, {main|3}]");
        assertThat(signal.isCancel()).isFalse();
        assertThat(signal.from()).isEqualTo(Pid.of("main", 3));
    }
}
