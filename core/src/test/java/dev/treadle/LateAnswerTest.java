// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Y4: a late answer reaches nobody; it is dropped and counted. */
class LateAnswerTest {
    private final Hold.Held held = new Hold.Held();

    private Scheduler start(int workers) {
        return Scheduler.builder()
                .workers(workers)
                .shutdownTimeout(Duration.ZERO)
                .handlers(new CommandRegistry().register(Hold.class, held).register(Echo.class, Echo.HANDLER))
                .start();
    }

    /** A process that yields a command that the test answers, and ends as its message says. */
    private static Process waiting() {
        return Process.of((events, out) -> {
            if (events.isEmpty()) {
                out.yield(new Hold(), 9);
                out.idle();
                return;
            }
            String topic = ((Message) events.get(0)).topic();
            if (topic.equals("throw")) {
                throw new IOException("as told");
            }
            out.done(topic);
        });
    }

    private void answerAfterTheEnd(Scheduler scheduler, ProcessRef process, ResultReceiver receiver) {
        Soon.exitOf(process);
        assertThat(receiver.complete("late")).isFalse();
        assertThat(receiver.fail(new IOException("later"))).isFalse();
        assertThat(scheduler.stats().lateAnswers()).isEqualTo(2);
    }

    @AtWorkers
    void y4_anAnswerAfterDoneIsDroppedAndCounted(int workers) throws Exception {
        try (Scheduler scheduler = start(workers)) {
            ProcessRef process = scheduler.submit(waiting(), "main");
            ResultReceiver receiver = held.take();
            process.send("done", null);

            answerAfterTheEnd(scheduler, process, receiver);
            assertThat(Soon.exitOf(process).result()).isEqualTo("done");
        }
    }

    @AtWorkers
    void y4_anAnswerAfterAFailureIsDroppedAndCounted(int workers) throws Exception {
        try (Scheduler scheduler = start(workers)) {
            ProcessRef process = scheduler.submit(waiting(), "main");
            ResultReceiver receiver = held.take();
            process.send("throw", null);

            answerAfterTheEnd(scheduler, process, receiver);
            assertThat(Soon.exitOf(process).reason()).isInstanceOf(IOException.class);
        }
    }

    @AtWorkers
    void y4_anAnswerAfterTerminationIsDroppedAndCounted(int workers) throws Exception {
        try (Scheduler scheduler = start(workers)) {
            ProcessRef process = scheduler.submit(waiting(), "main");
            ResultReceiver receiver = held.take();
            process.terminate();

            answerAfterTheEnd(scheduler, process, receiver);
            assertThat(Soon.exitOf(process).kind()).isEqualTo(ProcessExit.Kind.TERMINATED);
        }
    }

    /** Y4: what was answered in time, but came too late to be read, counts as well. */
    @AtWorkers
    void y4_answersThatTheProcessEndsWithoutReadingAreCounted(int workers) {
        Process process = Process.of((events, out) -> {
            out.yield(new Echo(1), 1);
            out.yield(new Echo(2), 2);
            out.yield(new Hold(), 3);
            out.done("at once");
        });
        try (Scheduler scheduler = start(workers)) {
            assertThat(Soon.get(scheduler.submit(process, "main").result())).isEqualTo("at once");

            assertThat(scheduler.stats().lateAnswers()).isEqualTo(2);
        }
    }

    /** Y4: a new process with the address of the old one is another process. */
    @AtWorkers
    void y4_aLateAnswerDoesNotReachAProcessWithTheSameAddress(int workers) throws Exception {
        long id = Submission.CHOSEN_ID_MIN + 5;
        try (Scheduler scheduler = start(workers)) {
            ProcessRef first = scheduler.submit(Submission.of(waiting(), "main").id(id));
            ResultReceiver late = held.take();
            first.send("done", null);
            Soon.exitOf(first);
            var second = new Yielder(out -> out.yield(new Hold(), 9));
            ProcessRef ref = scheduler.submit(Submission.of(second, "main").id(id));
            ResultReceiver inTime = held.take();

            assertThat(late.complete("of the first")).isFalse();
            assertThat(inTime.complete("of the second")).isTrue();

            assertThat(ref.pid()).isEqualTo(first.pid());
            assertThat(second.finish(ref, 1)).extracting(Completion::data).containsExactly("of the second");
            assertThat(scheduler.stats().lateAnswers()).isEqualTo(1);
        }
    }

    /**
     * Y4: many processes end while their commands are answered. Each answer is either read or counted; each process reads
     * only its own.
     */
    @AtWorkers
    void y4_answersThatRaceWithTheEndAreReadOrCounted(int workers) throws Exception {
        int rounds = 1_000;
        var barrier = new CyclicBarrier(2);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (Scheduler scheduler = start(workers)) {
            long read = 0;
            long refused = 0;
            for (int i = 0; i < rounds; i++) {
                Object answer = i;
                List<Object> got = new ArrayList<>(); // of the process, until its result is seen
                ProcessRef process = scheduler.submit(
                        Process.of((events, out) -> {
                            if (events.isEmpty()) {
                                out.yield(new Hold(), 0);
                                out.idle();
                            }
                            events.forEach(event -> {
                                if (event instanceof Completion completion) {
                                    got.add(completion.data());
                                } else {
                                    out.done();
                                }
                            });
                        }),
                        "main");
                ResultReceiver receiver = held.take();
                Future<Boolean> accepted = thread.submit(() -> {
                    barrier.await();
                    return receiver.complete(answer);
                });
                barrier.await();
                process.send("end", null);
                refused += Soon.get(accepted) ? 0 : 1;
                Soon.exitOf(process);
                assertThat(got).allMatch(answer::equals);
                read += got.size();
            }

            assertThat(read + scheduler.stats().lateAnswers()).isEqualTo(rounds);
            assertThat(scheduler.stats().lateAnswers()).isGreaterThanOrEqualTo(refused);
        } finally {
            thread.shutdown();
        }
    }
}
