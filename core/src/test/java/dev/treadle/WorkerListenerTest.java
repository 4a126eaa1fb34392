// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Listeners hear of workers that sleep and steal, and what they throw then changes nothing. */
class WorkerListenerTest {
    private static final int CHILDREN = 32;

    @Test
    void whenAListenerBlocks_thenTheOtherProcessesRun() throws Exception {
        var blocked = new CountDownLatch(1);
        var released = new CountDownLatch(1);
        var listener = new SchedulerListener() {
            @Override
            public void onPark(int worker, Duration slept) {
                if (blocked.getCount() > 0) {
                    blocked.countDown();
                    Soon.until(() -> released.getCount() == 0);
                }
            }
        };
        try (Scheduler scheduler = Scheduler.builder()
                .workers(1)
                .slowStepLimit(Duration.ofMillis(20))
                .listener(listener)
                .start()) {
            Soon.until(() -> scheduler.stats().total().parks() >= 1);
            ProcessRef held = scheduler.submit(Process.of((events, out) -> out.done("held")), "main");
            assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();
            ProcessRef other = scheduler.submit(Process.of((events, out) -> out.done("other")), "main");
            assertThat(other.result().get(30, TimeUnit.SECONDS))
                    .as("on a spare worker")
                    .isEqualTo("other");
            released.countDown();
            assertThat(held.result().get(30, TimeUnit.SECONDS)).isEqualTo("held");
        }
    }

    @Test
    void whenWorkersSleepAndSteal_thenListenersAreTold() throws Exception {
        List<Duration> slept = new CopyOnWriteArrayList<>();
        var stolen = new AtomicInteger();
        var listener = new SchedulerListener() {
            @Override
            public void onPark(int worker, Duration duration) {
                slept.add(duration);
                throw new IllegalStateException("a listener that throws");
            }

            @Override
            public void onSteal(int worker, int processes) {
                stolen.addAndGet(processes);
                throw new IllegalStateException("a listener that throws");
            }
        };
        try (Scheduler scheduler =
                Scheduler.builder().workers(2).listener(listener).start()) {
            Soon.until(() -> scheduler.stats().total().parks() >= 2);
            var children = new CountDownLatch(CHILDREN);
            Process held = Process.of((events, out) -> {
                for (int i = 0; i < CHILDREN; i++) {
                    scheduler.submit(
                            Process.of((none, done) -> {
                                children.countDown();
                                done.done();
                            }),
                            "main");
                }
                out.done(children.await(30, TimeUnit.SECONDS));
            });

            assertThat(scheduler.submit(held, "main").result().get(60, TimeUnit.SECONDS))
                    .as("the other worker, or a spare one, took over the children")
                    .isEqualTo(true);
            Soon.until(() -> stolen.get() > 0);
            Soon.until(() -> !slept.isEmpty());
            assertThat(slept).allSatisfy(each -> assertThat(each).isPositive());
            assertThat((long) stolen.get())
                    .as("as many as the statistics say, of which some may not have been told yet")
                    .isLessThanOrEqualTo(scheduler.stats().total().itemsStolen());
        }
    }

    /** Catches a message of a listener that seems to be of the process that happens to run next. */
    @Test
    void whenAListenerSends_thenItIsFromNoProcess() {
        var target = new AtomicReference<ProcessRef>();
        var senders = new CopyOnWriteArrayList<String>();
        var listener = new SchedulerListener() {
            @Override
            public void onPark(int worker, Duration slept) {
                ProcessRef log = target.getAndSet(null);
                if (log != null) {
                    log.send("parked", null);
                }
            }
        };
        try (Scheduler scheduler =
                Scheduler.builder().workers(1).listener(listener).start()) {
            ProcessRef log = scheduler.submit(
                    Process.of((events, out) -> {
                        for (Event event : events) {
                            senders.add(event instanceof Message message ? String.valueOf(message.sender()) : "?");
                        }
                    }),
                    "main");
            ProcessRef next = scheduler.submit(TrackedProcess.idle(), "main");
            Soon.until(() -> scheduler.group.isQuiet());
            target.set(log);
            next.send("hello", null);
            Soon.until(() -> !senders.isEmpty());
            assertThat(senders).containsExactly("null");
        }
    }

    @Test
    void whenAListenerNeverReturns_thenAShutdownClosesTheProcessThatWasToRunNext() {
        var held = new HeldUp();
        var blocks = new AtomicBoolean();
        var listener = new SchedulerListener() {
            @Override
            public void onPark(int worker, Duration slept) {
                if (blocks.compareAndSet(true, false)) {
                    held.blockDeafly();
                }
            }
        };
        Scheduler scheduler = Scheduler.builder().workers(1).listener(listener).start();
        TrackedProcess process = TrackedProcess.idle();
        ProcessRef ref = scheduler.submit(process, "main");
        Soon.until(() -> scheduler.group.isQuiet());
        blocks.set(true);
        ref.send("hello", null);
        Soon.until(() -> held.entered.get() == 1);

        scheduler.shutdown(Duration.ofMillis(100));

        held.release();
        assertThat(process.closes).hasValue(1);
    }
}
