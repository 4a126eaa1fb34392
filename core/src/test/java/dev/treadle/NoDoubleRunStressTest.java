// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;

/**
 * S3: a ready process is in one queue, once; nothing is lost and nothing runs twice, whoever steals.
 *
 * <p>Method: threads outside start chains of messages, and each process passes what it gets on to others, some to one,
 * some to several, now and then saying again() or letting its budget run out. So processes are woken from all sides and go
 * through next slots, deques, the global queue, later queues and thieves. Each message says how many more are to follow
 * from it, so their number is known beforehand.
 *
 * <p>Catches: a message that is lost (the count is never reached) or handled twice (it is passed), a step on two workers at
 * a time, and a process that is queued twice: the second turn then finds no event, so turns outnumber steps.
 */
class NoDoubleRunStressTest {
    private static final int PROCESSES = 100;
    private static final int SENDERS = 4;
    private static final int CHAINS = Integer.getInteger("stress.chains", 1_000);
    private static final int DEPTH = 6;
    private static final int WIDTH = 2;

    /** A message of depth n stands for itself and WIDTH messages of depth n - 1. */
    private static final long MESSAGES_PER_CHAIN = (1L << DEPTH) - 1;

    private final AtomicLong handled = new AtomicLong();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final AtomicInteger emptySteps = new AtomicInteger();
    private final CountDownLatch allHandled = new CountDownLatch(1);
    private final List<ProcessRef> all = new ArrayList<>();

    private long expected() {
        return (long) SENDERS * CHAINS * MESSAGES_PER_CHAIN;
    }

    @AtWorkers
    void s3_givenManyWakersAndThieves_thenEachWakeIsRunExactlyOnce(int workers) throws InterruptedException {
        try (Scheduler scheduler = Scheduler.builder()
                .workers(workers)
                .eventBudget(4)
                .slowStepLimit(Duration.ofHours(1))
                .start()) {
            List<Node> nodes = new ArrayList<>();
            for (int i = 0; i < PROCESSES; i++) {
                var node = new Node();
                nodes.add(node);
                all.add(scheduler.submit(node, "main"));
            }
            List<Thread> senders = startSenders();
            assertThat(allHandled.await(120, SECONDS))
                    .as("all %d messages are handled, %d are", expected(), handled.get())
                    .isTrue();
            for (Thread sender : senders) {
                sender.join();
            }
            // A process that was queued once too often would have its turn by now.
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> scheduler.group.isQuiet());
            long steps = nodes.stream().mapToLong(node -> node.steps).sum();
            long turns = Arrays.stream(scheduler.group.workers())
                    .mapToLong(Worker::turnAcquire)
                    .sum();
            assertThat(handled.get()).as("handled").isEqualTo(expected());
            assertThat(overlaps.get())
                    .as("steps of one process at the same time")
                    .isZero();
            assertThat(emptySteps.get()).as("steps without an event").isZero();
            assertThat(scheduler.stats().total().steps()).as("steps counted").isEqualTo(steps);
            assertThat(turns).as("turns, each with a step").isEqualTo(steps);
            assertThat(scheduler.stats().total().events()).as("events").isEqualTo(expected());
            if (workers > 1) {
                assertThat(scheduler.stats().total().itemsStolen()).as("stolen").isPositive();
            }
        }
    }

    private List<Thread> startSenders() {
        List<Thread> senders = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            var random = new SplittableRandom(i);
            var sender = new Thread(() -> {
                for (int chain = 0; chain < CHAINS; chain++) {
                    all.get(random.nextInt(PROCESSES)).send("chain", DEPTH);
                }
            });
            senders.add(sender);
            sender.start();
        }
        return senders;
    }

    /** Passes each message on. Its fields are plain: two steps at once, or one that does not see the last, would tell. */
    private final class Node implements Process {
        private final AtomicBoolean stepping = new AtomicBoolean();
        private SplittableRandom random;
        private long steps;
        private boolean emptyAllowed = true;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            random = new SplittableRandom(context.self().id());
        }

        @Override
        public void step(Events events, StepOutput out) {
            if (!stepping.compareAndSet(false, true)) {
                overlaps.incrementAndGet();
            }
            steps++;
            if (events.isEmpty() && !emptyAllowed) {
                emptySteps.incrementAndGet();
            }
            emptyAllowed = false;
            for (Event event : events) {
                if (event instanceof Message message) {
                    pass(message.payload(Integer.class));
                } else {
                    out.done();
                }
            }
            if (!events.isEmpty() && random.nextInt(16) == 0) {
                emptyAllowed = true;
                out.again();
            }
            stepping.set(false);
        }

        private void pass(int depth) {
            for (int i = 0; depth > 1 && i < WIDTH; i++) {
                all.get(random.nextInt(PROCESSES)).send("chain", depth - 1);
            }
            if (handled.incrementAndGet() == expected()) {
                allHandled.countDown();
            }
        }
    }
}
