// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static dev.treadle.Soon.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.relay.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Contract line P2: one step at a time, each sees what the one before wrote.
 *
 * <p>Method: tokens hop at random between processes, so that these are woken by workers and by thieves, while threads
 * outside send to them too, through the global queue. Each process keeps its books in plain fields. Catches: two workers
 * in one process (an update is lost, or the entry check fails), a hand-over from worker to worker that does not publish.
 */
class ProcessExclusionTest {
    private static final int PROCESSES = 16;
    private static final int TOKENS = 8;
    private static final int HOPS = 10_000;
    private static final int OUTSIDE_THREADS = 2;
    private static final int OUTSIDE_MESSAGES = 5_000;

    /** P2: plain, non-volatile books of processes that are bounced between the workers come out exact. */
    @AtWorkers
    void p2_whenProcessesBounceBetweenWorkers_thenPlainFieldsStayExact(int workers) throws Exception {
        var tokensLeft = new CountDownLatch(TOKENS);
        var processes = new ArrayList<ProcessRef>();
        try (Scheduler scheduler = start(workers)) {
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(scheduler.submit(new Bookkeeper(tokensLeft), "main", i));
            }
            List<ProcessRef> all = List.copyOf(processes);
            all.forEach(ref -> ref.send("all", all));
            for (int i = 0; i < TOKENS; i++) {
                all.get(i).send("token", HOPS);
            }
            sendFromOutside(all);
            assertThat(tokensLeft.await(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .as("all tokens came to their end")
                    .isTrue();

            long handled = 0;
            Set<Thread> threads = new HashSet<>();
            for (ProcessRef ref : all) {
                ref.send("report", null);
                Books books = (Books) ref.result().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                handled += books.handled();
                threads.addAll(books.threads());
            }
            assertThat(handled)
                    .as("no update of a plain field was lost")
                    .isEqualTo((long) TOKENS * (HOPS + 1) + OUTSIDE_THREADS * OUTSIDE_MESSAGES);
            assertThat(threads).hasSizeBetween(1, workers);
        }
    }

    /** P2: the same with one process that is certain to change its worker. */
    @AtWorkers
    void p2_whenOneProcessChangesItsWorker_thenEachStepSeesTheStepBefore(int workers) throws Exception {
        try (Scheduler scheduler = start(workers)) {
            ProcessRef ref = scheduler.submit(new Bookkeeper(new CountDownLatch(0)), "main", 0);
            int sent = 0;
            long deadline = System.nanoTime() + LIMIT.toNanos();
            Set<Integer> places = new HashSet<>();
            while ((sent < 5_000 || places.size() < Math.min(2, workers)) && System.nanoTime() - deadline < 0) {
                sent += ref.send("count", null) == Delivery.DELIVERED ? 1 : 0;
                // A pause now and then lets the workers fall asleep, and another one wake up.
                if (sent % 64 == 0) {
                    Soon.reaches(ref, ProcessInfo.State.IDLE);
                    places.add(ref.inspect().orElseThrow().worker());
                }
            }
            ref.send("report", null);
            Books books = (Books) ref.result().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(books.handled()).isEqualTo(sent);
            assertThat(books.threads())
                    .as("it ran on more than one worker, if there is more than one")
                    .hasSizeBetween(Math.min(2, workers), workers);
        }
    }

    /** Without spare workers, which a machine that is busy with something else would call for: threads are counted. */
    private static Scheduler start(int workers) {
        return Scheduler.builder()
                .workers(workers)
                .slowStepLimit(Duration.ofMinutes(5))
                .start();
    }

    private static void sendFromOutside(List<ProcessRef> all) throws InterruptedException {
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < OUTSIDE_THREADS; i++) {
            var random = new SplittableRandom(i);
            var thread = new Thread(() -> {
                for (int sent = 0; sent < OUTSIDE_MESSAGES; sent++) {
                    all.get(random.nextInt(all.size())).send("count", null);
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private record Books(long handled, Set<Thread> threads) {}

    /** Counts what it handles, in plain fields on purpose. */
    private static final class Bookkeeper implements Process {
        private final CountDownLatch tokensLeft;
        private final Set<Thread> threads = new HashSet<>();
        private List<ProcessRef> all = List.of();
        private SplittableRandom random;
        private long entered;
        private long left;
        private long handled;

        Bookkeeper(CountDownLatch tokensLeft) {
            this.tokensLeft = tokensLeft;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            random = new SplittableRandom(input.get(0, int.class));
        }

        @Override
        public void step(Events events, StepOutput out) {
            if (entered != left) {
                throw new IllegalStateException("another step has entered and not left: " + entered + ", " + left);
            }
            entered++;
            threads.add(Thread.currentThread());
            for (Event event : events) {
                handle((Message) event, out);
            }
            left++;
        }

        @SuppressWarnings("unchecked") // of the test's own messages
        private void handle(Message message, StepOutput out) {
            switch (message.topic()) {
                case "all" -> all = (List<ProcessRef>) message.payload();
                case "report" -> out.done(new Books(handled, threads));
                case "token" -> {
                    handled++;
                    pass(message.payload(int.class));
                }
                default -> handled++;
            }
        }

        private void pass(int hopsLeft) {
            if (hopsLeft == 0) {
                tokensLeft.countDown();
            } else {
                all.get(random.nextInt(all.size())).send("token", hopsLeft - 1);
            }
        }
    }
}
