// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Each kind of fault that {@code -Dtreadle.check=true} is there to find, made on purpose in a real scheduler: it is
 * reported, and the scheduler stops. That there is no false alarm, all other tests show: they run with it.
 */
class InvariantsTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final HeldUp held = new HeldUp();
    private final AtomicInteger closed = new AtomicInteger();
    private final AtomicInteger steps = new AtomicInteger();
    private final String name = SchedulerThreads.newName("invariants");
    private final LogRecorder log = new LogRecorder();

    @AfterEach
    void release() {
        held.release();
        log.close();
        SchedulerThreads.awaitNone(name);
    }

    @Test
    void whenTestsRun_thenTheChecksAreOn() {
        assertThat(Invariants.ON)
                .as("-Dtreadle.check=true in the pom, or in what runs this test")
                .isTrue();
    }

    private Scheduler start(int workers, Duration limit) {
        return Scheduler.builder()
                .name(name)
                .workers(workers)
                .slowStepLimit(LONG)
                .maxProcesses(10)
                .checkLimit(limit)
                .start();
    }

    /** Says nothing, and so is idle after each step. */
    private final class Idler implements Process {
        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            if (events.isEmpty()
                    || !(events.get(0) instanceof Signal)) { // the stop that follows a violation asks it to end
                steps.incrementAndGet();
            }
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    private ProcessRef idler(Scheduler scheduler) {
        ProcessRef idler = scheduler.submit(new Idler(), "main");
        Soon.reaches(idler, ProcessInfo.State.IDLE);
        Soon.until(scheduler.group::isQuiet);
        return idler;
    }

    /** The scheduler has stopped by itself, and says why to the log and to whoever shuts it down. */
    private void assertStopped(Scheduler scheduler, String... report) {
        Soon.until(scheduler::isStopping);
        assertThatThrownBy(() -> scheduler.shutdown(TIMEOUT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(report)
                .hasMessageContainingAll(
                        "scheduler \"" + name + "\" violates an invariant", "global queue: ", "deque ");
        assertThatThrownBy(scheduler::close).as("each time").isInstanceOf(IllegalStateException.class);
        assertThat(log.text()).contains("violates an invariant").contains(report);
    }

    @Nested
    class GivenADeliberateFault {
        @Test
        void whenAProcessIsPushedTwice_thenItIsReportedAndNotRunTwice() {
            Scheduler scheduler = start(1, LONG);
            scheduler.submit(Process.of((events, out) -> held.block()), "main");
            Soon.until(() -> held.entered.get() == 1);
            ProcessRef queued = scheduler.submit(new Idler(), "main");

            scheduler.group.pushFromOutside(queued.pid().cell());

            assertStopped(scheduler, "process " + queued.pid() + " was pushed while it is in a queue", "worker-0");
            assertThat(closed).hasValue(1);
        }

        @Test
        void whenAProcessIsInAQueueTwice_thenTheSecondRunIsPrevented() {
            Scheduler scheduler = start(1, LONG);
            scheduler.submit(Process.of((events, out) -> held.blockDeafly()), "main");
            Soon.until(() -> held.entered.get() == 1);
            ProcessRef queued = scheduler.submit(new Idler(), "main");
            scheduler.group.pushGlobal(queued.pid().cell());

            held.release();

            assertStopped(
                    scheduler, "process " + queued.pid() + " was taken to be run without having been queued, or twice");
            assertThat(steps).hasValue(1);
        }

        @Test
        void whenASleepingProcessIsPushed_thenItIsReported() {
            Scheduler scheduler = start(2, LONG);
            ProcessRef idler = idler(scheduler);

            scheduler.group.pushFromOutside(idler.pid().cell());

            assertStopped(scheduler, "process " + idler.pid() + " was pushed although it is not ready");
        }

        @Test
        void whenAWakeIsForgotten_thenTheProcessIsReportedAsLost() {
            Scheduler scheduler = start(2, Duration.ofMillis(200));
            ProcessRef idler = idler(scheduler);

            forgetToPush(idler, cell -> {});

            assertStopped(scheduler, "process " + idler.pid() + " is ready, but in no queue", "READY[1 messages]");
            assertThat(closed).as("closed all the same").hasValue(1);
        }

        @Test
        void whenSleepersAreNotWoken_thenTheProcessThatWaitsIsReported() {
            Scheduler scheduler = start(2, Duration.ofMillis(200));
            ProcessRef idler = idler(scheduler);

            forgetToPush(idler, cell -> {
                Invariants.pushed(cell);
                scheduler.group.pushGlobal(cell); // and no signalWork
            });

            assertStopped(
                    scheduler, "process " + idler.pid() + " waits in a queue while a worker sleeps", "global queue: 1");
        }

        @Test
        void whenAPlaceIsNotGivenBack_thenTheShutdownSaysSo() {
            Scheduler scheduler = start(2, LONG);
            idler(scheduler);
            assertThat(scheduler.table.reserve()).isTrue();

            assertThatThrownBy(() -> scheduler.shutdown(TIMEOUT))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("9 places are free, must be all 10");
        }

        @Test
        void whenAnEndIsNotCounted_thenTheShutdownSaysSo() {
            Scheduler scheduler = start(2, LONG);
            ProcessRef idler = idler(scheduler);
            assertThat(scheduler.ending.takeOff(idler.pid().cell())).isTrue(); // and no tell

            assertThatThrownBy(() -> scheduler.shutdown(TIMEOUT))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("1 processes were started and 0 have ended");
        }

        private void forgetToPush(ProcessRef idler, Consumer<ProcessCell> instead) {
            ProcessCell cell = idler.pid().cell();
            assertThat(cell.pushMessage(Message.of("hello", null), cell.mailboxCapacity))
                    .isEqualTo(EventStack.Push.WAKE);
            instead.accept(cell);
        }
    }

    @Nested
    class GivenALostProcess {
        @Test
        void whenAShutdownWaitsForIt_thenItWaitsNoLongerThanTheCheck() {
            Scheduler scheduler = start(2, Duration.ofMillis(200));
            ProcessRef idler = idler(scheduler);
            ProcessCell cell = idler.pid().cell();
            assertThat(cell.pushMessage(Message.of("hello", null), cell.mailboxCapacity))
                    .isEqualTo(EventStack.Push.WAKE);

            // A test that waited for the timeout would be ended as hung.
            assertThatThrownBy(() -> scheduler.shutdown(LONG))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("it is lost");
        }
    }

    @Nested
    class GivenASchedulerThatIsSteppedByHand {
        @Test
        void whenAProcessIsPushedTwice_thenCloseSaysSo() {
            SteppedScheduler stepped = Scheduler.builder().workers(1).stepped();
            ProcessRef queued = stepped.scheduler().submit(new Idler(), "main");
            stepped.scheduler().group.pushGlobal(queued.pid().cell());

            stepped.runAll();

            assertThat(steps).hasValue(1);
            assertThatThrownBy(stepped::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("without having been queued, or twice");
        }
    }

    /** A process that is held up, or waits behind one, is where it should be, however long that takes. */
    @Test
    void givenAHeldUpWorker_whenManyLooksPass_thenNothingIsReported() {
        Scheduler scheduler = start(1, Duration.ofMillis(50));
        scheduler.submit(Process.of((events, out) -> held.blockDeafly()), "main");
        Soon.until(() -> held.entered.get() == 1);
        scheduler.submit(new Idler(), "main");
        long start = System.nanoTime();
        Soon.until(() -> System.nanoTime() - start > Duration.ofMillis(500).toNanos());

        held.release();

        Soon.until(() -> steps.get() == 1);
        assertThat(scheduler.shutdown(TIMEOUT).isGraceful()).isTrue();
    }
}
