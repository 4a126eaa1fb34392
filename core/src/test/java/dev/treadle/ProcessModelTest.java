// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.relay.Delivery;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Contract lines P3, P4, P5, M2, M3 and M4 together: one process is compared, step by step, with a model that is two
 * queues and a state.
 *
 * <p>Goal: what each step gets, in which order, when a step is due and what becomes of each message is exactly what the
 * model says, for any order of sends, answers, signals and steps, with small budgets and mailboxes. Method: random
 * operations from a seed, run by hand on a random worker; a failure names the seed.
 */
class ProcessModelTest {
    private static final int SEEDS = 200;
    private static final int OPERATIONS = 150;

    @AtWorkers
    void p3_p4_p5_m2_m3_m4_whateverHappens_thenTheProcessDoesWhatTheModelDoes(int workers) {
        for (int seed = 0; seed < SEEDS; seed++) {
            try {
                new Run(seed, workers).play();
            } catch (Throwable thrown) {
                throw new AssertionError("seed " + seed + " with " + workers + " workers", thrown);
            }
        }
    }

    private record Ask() implements Command {}

    private record AskNow() implements Command {}

    /** One process, and its model. */
    private static final class Run {
        private final SplittableRandom random;
        private final int budget;
        private final int capacity;
        private final List<ResultReceiver> unanswered = new ArrayList<>();
        private final RecordingListener listener = new RecordingListener();
        private final SteppedScheduler stepped;
        private final ProcessRef ref;

        // What the process does in its next step, and what it got in its last one.
        private StepFunction action = (events, out) -> {};
        private List<String> got;

        // The model.
        private final Deque<String> signals = new ArrayDeque<>();
        private final Deque<String> others = new ArrayDeque<>();
        private final List<String> deadLetters = new ArrayList<>();
        private boolean ready = true;
        private boolean stepDue = true;
        private boolean idle;
        private boolean killed;
        private boolean ended;
        private long lateAnswers;
        private int count;

        Run(long seed, int workers) {
            random = new SplittableRandom(seed);
            budget = 1 + random.nextInt(6);
            capacity = random.nextInt(9);
            var registry = new CommandRegistry()
                    .register(Ask.class, (command, receiver) -> unanswered.add(receiver))
                    .register(AskNow.class, (command, receiver) -> receiver.complete(null));
            stepped = Scheduler.builder()
                    .workers(workers)
                    .seed(seed)
                    .eventBudget(budget)
                    .mailboxCapacity(capacity)
                    .handlers(registry)
                    .listener(listener)
                    .stepped();
            ref = stepped.scheduler().submit(Process.of(this::step), "main");
        }

        private void step(Events events, StepOutput out) throws Exception {
            got = new ArrayList<>();
            for (Event event : events) {
                got.add(
                        event instanceof Message message
                                ? "m" + message.payload()
                                : event instanceof Completion completion
                                        ? "c" + completion.tag()
                                        : "s" + ((Signal) event).reason());
            }
            action.step(events, out);
        }

        void play() {
            try (stepped) {
                for (int i = 0; i < OPERATIONS; i++) {
                    switch (random.nextInt(8)) {
                        case 0, 1, 2 -> send();
                        case 3 -> answer();
                        case 4 -> signal();
                        case 5, 6 -> run();
                        default -> kill();
                    }
                    check();
                }
                assertThat(listener.deadLetters)
                        .extracting(letter ->
                                letter.reason() + " " + letter.envelope().payload())
                        .isEqualTo(deadLetters);
                action = (events, out) -> out.done(); // so that the scheduler can be closed
            }
        }

        private void send() {
            int number = count++;
            Delivery expected = Delivery.DELIVERED;
            if (ended) {
                expected = Delivery.NO_SUCH_PROCESS;
            } else if (capacity != 0 && messages() == capacity) {
                expected = Delivery.MAILBOX_FULL;
            }
            assertThat(ref.send("m", number)).isEqualTo(expected);
            if (expected == Delivery.DELIVERED) {
                others.add("m" + number);
                ready |= idle;
            } else {
                deadLetters.add(expected + " " + number);
            }
        }

        private void answer() {
            if (!unanswered.isEmpty()) {
                ResultReceiver receiver = unanswered.remove(random.nextInt(unanswered.size()));
                assertThat(receiver.complete(null)).isEqualTo(!ended);
                push(others, "c" + receiver.tag());
                lateAnswers += ended ? 1 : 0;
            }
        }

        private void signal() {
            String reason = String.valueOf(count++);
            assertThat(ref.cancel(reason).isDelivered()).isEqualTo(!ended);
            push(signals, "s" + reason);
        }

        private void kill() {
            if (random.nextInt(20) == 0) {
                assertThat(ref.terminate().isDelivered()).isEqualTo(!ended);
                killed = !ended;
                ready |= !ended;
            }
        }

        /** What is urgent wakes the process, whatever it waits for. */
        private void push(Deque<String> queue, String event) {
            if (!ended) {
                queue.add(event);
                ready = true;
            }
        }

        private void run() {
            got = null;
            action = randomAction();
            boolean ran = stepped.runOne(random.nextInt(stepped.workers()));
            assertThat(ran).as("a step was due").isEqualTo(ready);
            if (!ran) {
                return;
            }
            if (killed) {
                assertThat(got).as("no step after it was terminated").isNull();
                end();
                return;
            }
            var expected = new ArrayList<String>();
            while (expected.size() < budget && !(signals.isEmpty() && others.isEmpty())) {
                expected.add(signals.isEmpty() ? others.remove() : signals.remove());
            }
            assertThat(got).isEqualTo(expected);
            assertThat(stepDue || !got.isEmpty()).as("no empty step").isTrue();
            stepDue = false;
            follow();
        }

        // What the process does next: chosen before the step, told to the model after it.

        private int next;
        private int yields;
        private int yieldsNow;

        private StepFunction randomAction() {
            next = random.nextInt(41);
            yields = random.nextInt(3) == 0 ? random.nextInt(4) : 0;
            yieldsNow = random.nextInt(4) == 0 ? random.nextInt(3) : 0;
            int firstTag = count;
            count += yields + yieldsNow;
            return (events, out) -> {
                for (int i = 0; i < yields + yieldsNow; i++) {
                    out.yield(i < yields ? new Ask() : new AskNow(), firstTag + i);
                }
                if (next == 0) {
                    out.done();
                } else if (next < 15) {
                    out.idle();
                } else if (next < 25) {
                    out.await();
                } else if (next < 30) {
                    out.again();
                }
            };
        }

        private void follow() {
            int firstNow = count - yieldsNow;
            for (int i = 0; i < yieldsNow; i++) {
                others.add("c" + (firstNow + i));
            }
            if (next == 0) {
                end();
                return;
            }
            boolean again = next >= 25 && next < 30;
            boolean blocked = (next >= 15 && next < 25) || (next >= 30 && yields + yieldsNow > 0);
            idle = !again && !blocked;
            stepDue = again;
            boolean urgent = !signals.isEmpty() || others.stream().anyMatch(event -> event.startsWith("c"));
            ready = again || urgent || (idle && !others.isEmpty());
        }

        private void end() {
            for (String event : others) {
                if (event.startsWith("m")) {
                    deadLetters.add("UNREAD " + event.substring(1));
                } else {
                    lateAnswers++;
                }
            }
            signals.clear();
            others.clear();
            ended = true;
            ready = false;
        }

        private long messages() {
            return others.stream().filter(event -> event.startsWith("m")).count();
        }

        private void check() {
            SchedulerStats stats = stepped.scheduler().stats();
            assertThat(stats.deadLetters()).isEqualTo(deadLetters.size());
            assertThat(stats.lateAnswers()).isEqualTo(lateAnswers);
            assertThat(listener.exits).hasSize(ended ? 1 : 0);
            if (ended) {
                assertThat(ref.inspect()).isEmpty();
            } else {
                ProcessInfo info = ref.inspect().orElseThrow();
                assertThat(info.queueLength()).isEqualTo((int) messages());
                assertThat(info.state())
                        .isEqualTo(
                                ready
                                        ? ProcessInfo.State.READY
                                        : idle ? ProcessInfo.State.IDLE : ProcessInfo.State.BLOCKED);
            }
        }
    }
}
