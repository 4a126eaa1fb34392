// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;

/**
 * Y4: an answer never reaches a later life of the process that asked, however early it came.
 *
 * <p>Once, a command that was answered on the spot was not among those that an upgrade abandons: its completion waited in
 * the queue already, and the next process got it. Stepped by hand, so each test has one outcome.
 */
class UpgradeRegressionTest {
    private final List<ResultReceiver> asked = new ArrayList<>();
    private final Life next = new Life();

    /** Answered on the spot. */
    private record Echo() implements Command {}

    /** Answered when the test says so. */
    private record Ask() implements Command {}

    private SteppedScheduler stepped(int workers, int eventBudget) {
        var registry = new CommandRegistry()
                .register(Echo.class, (echo, receiver) -> receiver.complete("old answer"))
                .register(Ask.class, (ask, receiver) -> asked.add(receiver));
        return Scheduler.builder()
                .workers(workers)
                .eventBudget(eventBudget)
                .handlers(registry)
                .stepped();
    }

    /** Runs the process until it waits, and checks that the next one got these completions and no step besides. */
    private void runAndAssertThatTheNextOneGets(SteppedScheduler stepped, Process old, List<Long> tags) {
        ProcessRef ref = stepped.scheduler().submit(old, "main");
        stepped.runAll();
        if (ref.send("go", null).isDelivered()) {
            stepped.runAll();
        }
        assertThat(next.tags)
                .as("tags of completions that the next process got")
                .containsExactlyElementsOf(tags);
        assertThat(ref.inspect())
                .as("it lives on, and waits for nothing")
                .hasValueSatisfying(info -> assertThat(info.yieldsInFlight()).isZero());
    }

    @Nested
    class GivenAnUpgradeThatDropsWhatIsInFlight {
        @AtWorkers
        void y4_whenTheSameStepAsksAndIsAnsweredOnTheSpot_thenTheNextProcessDoesNotHearOfIt(int workers) {
            try (SteppedScheduler stepped = stepped(workers, 64)) {
                Process old = Process.of((events, out) -> {
                    out.yield(new Echo(), 7);
                    out.upgrade(next, "main");
                });

                runAndAssertThatTheNextOneGets(stepped, old, List.of());

                assertThat(stepped.scheduler().stats().lateAnswers()).isEqualTo(1);
                assertThat(next.stepsWithoutEvents)
                        .as("its first step, and none for what was dropped")
                        .isEqualTo(1);
            }
        }

        @AtWorkers
        void y4_whenTheAnswerCameWhileTheLastStepRan_thenTheNextProcessDoesNotHearOfIt(int workers) {
            try (SteppedScheduler stepped = stepped(workers, 64)) {
                Process old = Process.of((events, out) -> {
                    if (events.isEmpty()) {
                        out.yield(new Ask(), 7);
                        out.idle();
                    } else {
                        assertThat(asked.get(0).complete("old answer")).isTrue();
                        out.upgrade(next, "main");
                    }
                });

                runAndAssertThatTheNextOneGets(stepped, old, List.of());

                assertThat(next.steps).isEqualTo(1);
                assertThat(stepped.scheduler().stats().lateAnswers()).isEqualTo(1);
            }
        }

        @AtWorkers
        void y4_whenAnswersAreBeyondTheBudgetOfTheLastStep_thenTheNextProcessDoesNotHearOfThem(int workers) {
            try (SteppedScheduler stepped = stepped(workers, 1)) {
                var old = new AsksThree(false);

                runAndAssertThatTheNextOneGets(stepped, old, List.of());

                assertThat(old.tags).containsExactly(1L);
                assertThat(stepped.scheduler().stats().lateAnswers()).isEqualTo(2);
                assertThat(next.stepsWithoutEvents)
                        .as("its first step, and none for what was dropped")
                        .isEqualTo(1);
            }
        }

        @AtWorkers
        void y4_whenTheAnswerComesAfterwards_thenItIsLate(int workers) {
            try (SteppedScheduler stepped = stepped(workers, 64)) {
                Process old = Process.of((events, out) -> {
                    out.yield(new Ask(), 7);
                    out.upgrade(next, "main");
                });
                runAndAssertThatTheNextOneGets(stepped, old, List.of());

                assertThat(asked.get(0).isCancelled()).isTrue();
                assertThat(asked.get(0).complete("old answer")).isFalse();
                stepped.runAll();

                assertThat(next.tags).isEmpty();
                assertThat(stepped.scheduler().stats().lateAnswers()).isEqualTo(1);
            }
        }
    }

    /** The other side: what is kept must not be dropped. */
    @Nested
    class GivenAnUpgradeThatKeepsWhatIsInFlight {
        @AtWorkers
        void y1_whenTheSameStepAsksAndIsAnsweredOnTheSpot_thenTheNextProcessGetsIt(int workers) {
            try (SteppedScheduler stepped = stepped(workers, 64)) {
                Process old = Process.of((events, out) -> {
                    out.yield(new Echo(), 7);
                    out.upgradeKeepingYields(next, "main");
                });

                runAndAssertThatTheNextOneGets(stepped, old, List.of(7L));

                assertThat(stepped.scheduler().stats().lateAnswers()).isZero();
            }
        }

        @AtWorkers
        void y1_whenAnswersAreBeyondTheBudgetOfTheLastStep_thenTheNextProcessGetsThem(int workers) {
            try (SteppedScheduler stepped = stepped(workers, 1)) {
                runAndAssertThatTheNextOneGets(stepped, new AsksThree(true), List.of(2L, 3L));

                assertThat(stepped.scheduler().stats().lateAnswers()).isZero();
            }
        }
    }

    /** Writes down what it gets. */
    private static class Life implements Process {
        final List<Long> tags = new ArrayList<>();
        int steps;
        int stepsWithoutEvents;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            steps++;
            stepsWithoutEvents += events.isEmpty() ? 1 : 0;
            for (Event event : events) {
                if (event instanceof Completion completion) {
                    tags.add(completion.tag());
                }
            }
        }
    }

    /** Yields three commands that are answered on the spot, and gives way when the first answer is here. */
    private final class AsksThree extends Life {
        private final boolean keepsYields;

        AsksThree(boolean keepsYields) {
            this.keepsYields = keepsYields;
        }

        @Override
        public void step(Events events, StepOutput out) {
            super.step(events, out);
            if (steps == 1) {
                for (int tag = 1; tag <= 3; tag++) {
                    out.yield(new Echo(), tag);
                }
            } else if (keepsYields) {
                out.upgradeKeepingYields(next, "main");
            } else {
                out.upgrade(next, "main");
            }
        }
    }
}
