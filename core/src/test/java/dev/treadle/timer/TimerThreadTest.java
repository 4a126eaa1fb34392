// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.timer;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TimerThreadTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();

    private final List<Thread> created = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    private final TimerWheel wheel = new TimerWheel(System.nanoTime(), (node, failure) -> failures.add(failure));
    private final TimerThread timers = new TimerThread(wheel, System::nanoTime, this::newThread);

    private Thread newThread(Runnable run) {
        var thread = new Thread(run, "timers under test");
        thread.setUncaughtExceptionHandler((t, failure) -> uncaught.add(failure));
        created.add(thread);
        return thread;
    }

    @AfterEach
    void thenNoThreadIsLeft() {
        assertThat(timers.close(TIMEOUT)).isTrue();
        assertThat(created).noneMatch(Thread::isAlive);
        assertThat(uncaught).isEmpty();
    }

    private static long in(Duration delay) {
        return TimerWheel.deadline(System.nanoTime(), delay.toNanos());
    }

    private static TimerNode running(Runnable action) {
        return new NamedTimer("timer", new ArrayList<>()).whenFired(action);
    }

    @Nested
    class GivenNoTimerYet {
        @Test
        void thenThereIsNoThread() {
            assertThat(created).isEmpty();
            assertThat(timers.toString()).startsWith("TimerThread[not started, ");
        }

        @Test
        void whenTimersAreStarted_thenThereIsOneThread() {
            for (int i = 0; i < 10; i++) {
                assertThat(timers.start(running(() -> {}), in(Duration.ofHours(1))))
                        .isTrue();
            }
            assertThat(created).hasSize(1);
        }

        @Test
        void whenTheFactoryReturnsNull_thenRefusedAndNothingIsStarted() {
            var none = new TimerThread(wheel, System::nanoTime, run -> null);

            assertThatThrownBy(() -> none.start(running(() -> {}), 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("returned null, must return a thread");
            assertThat(wheel.size()).isZero();
        }

        @Test
        void whenClosed_thenNoThreadIsMadeAndStartIsRefused() {
            assertThat(timers.close(TIMEOUT)).isTrue();
            assertThat(timers.start(running(() -> {}), 0)).isFalse();
            assertThat(created).isEmpty();
        }
    }

    @Nested
    class GivenRealTime {
        @Test
        void whenAThousandTimersAreStarted_thenAllFireAndNoneEarly() throws InterruptedException {
            int count = 1_000;
            BlockingQueue<Long> lateNanos = new LinkedBlockingQueue<>();
            for (int i = 0; i < count; i++) {
                timers.start(
                        new TimerNode() {
                            @Override
                            protected void fire() {
                                lateNanos.add(System.nanoTime() - deadlineNanos());
                            }
                        },
                        in(Duration.ofMillis(i * 7 % 500)));
            }
            for (int i = 0; i < count; i++) {
                assertThat(lateNanos.poll(10, SECONDS)).isNotNull().isNotNegative();
            }
        }

        @Test
        void whenAPeriodicTimerRestartsItself_thenItGoesOn() throws InterruptedException {
            var beats = new CountDownLatch(20);
            timers.start(
                    new TimerNode() {
                        @Override
                        protected void fire() {
                            beats.countDown();
                            timers.start(this, deadlineNanos() + MILLISECONDS.toNanos(2));
                        }
                    },
                    System.nanoTime());

            assertThat(beats.await(10, SECONDS)).isTrue();
        }

        @Test
        void whenCancelled_thenItDoesNotFire() throws InterruptedException {
            var fired = new AtomicBoolean();
            var later = new CountDownLatch(1);
            TimerNode node = running(() -> fired.set(true));
            timers.start(node, in(Duration.ofMillis(200)));
            timers.start(running(later::countDown), in(Duration.ofMillis(250)));

            assertThat(timers.cancel(node)).isTrue();
            assertThat(later.await(10, SECONDS)).isTrue();
            assertThat(fired).isFalse();
        }
    }

    @Nested
    class GivenSleepingThread {
        @Test
        void whenNothingIsToDo_thenItWaitsWithoutATimeout() {
            TimerNode node = running(() -> {});
            timers.start(node, in(Duration.ofHours(1)));
            awaitState(Thread.State.TIMED_WAITING);
            timers.cancel(node);

            var fired = new AtomicBoolean();
            timers.start(running(() -> fired.set(true)), System.nanoTime());
            await().atMost(TIMEOUT).untilTrue(fired);

            awaitState(Thread.State.WAITING);
        }

        @Test
        void whenATimerLeavesAnInterruptBehind_thenTheThreadStillSleeps() {
            timers.start(running(() -> Thread.currentThread().interrupt()), System.nanoTime());
            await().atMost(TIMEOUT).until(() -> wheel.size() == 0);

            awaitState(Thread.State.WAITING);
            assertThat(created.get(0).isInterrupted()).isFalse();
        }

        /**
         * Goal: no wake-up is lost. Method: a closed loop; each timer is started only after the one before has fired, as
         * the thread is about to sleep for ever, or for an hour. Catches: a start() that wakes nobody; a sleep that is not
         * announced. Cannot catch: an announceSleep() that looks at the timers under one hold of the lock and announces
         * under the next; TimerWheelLincheckTest does.
         */
        @Test
        void whenTimersArriveAsItFallsAsleep_thenEachFires() throws InterruptedException {
            int rounds = Integer.getInteger("stress.rounds", 20_000);
            var fastWheel = new TimerWheel(System.nanoTime(), 1_000, (node, failure) -> failures.add(failure));
            var fast = new TimerThread(fastWheel, System::nanoTime, TimerThreadTest.this::newThread);
            var fired = new Semaphore(0);
            TimerNode near = running(fired::release);
            TimerNode far = running(() -> {});
            for (int i = 0; i < rounds; i++) {
                if (i == rounds / 2) {
                    fast.start(far, System.nanoTime() + HOUR_NANOS);
                }
                fast.start(near, System.nanoTime());
                assertThat(fired.tryAcquire(10, SECONDS))
                        .as("round %d, %s", i, fast)
                        .isTrue();
            }
            assertThat(fast.close(TIMEOUT)).isTrue();
        }

        private void awaitState(Thread.State state) {
            await().atMost(TIMEOUT).until(() -> created.get(0).getState() == state);
        }
    }

    @Nested
    class GivenTimersThatMisbehave {
        @Test
        void whenOneThrows_thenTheHandlerHearsOfItAndTheOthersFire() throws InterruptedException {
            var later = new CountDownLatch(1);
            timers.start(
                    running(() -> {
                        throw new AssertionError("broken timer");
                    }),
                    System.nanoTime());
            timers.start(running(later::countDown), in(Duration.ofMillis(5)));

            assertThat(later.await(10, SECONDS)).isTrue();
            assertThat(failures)
                    .singleElement()
                    .satisfies(failure -> assertThat(failure).hasMessage("broken timer"));
        }

        @Test
        void whenTheHandlerThrowsToo_thenTheThreadGoesOn() throws InterruptedException {
            var strictWheel = new TimerWheel(System.nanoTime(), (node, failure) -> {
                throw new IllegalStateException("broken handler", failure);
            });
            var strict = new TimerThread(strictWheel, System::nanoTime, TimerThreadTest.this::newThread);
            var later = new CountDownLatch(1);
            strict.start(
                    running(() -> {
                        throw new AssertionError("broken timer");
                    }),
                    System.nanoTime());
            await().atMost(TIMEOUT).until(() -> !uncaught.isEmpty());
            strict.start(running(later::countDown), System.nanoTime());

            assertThat(later.await(10, SECONDS)).isTrue();
            assertThat(uncaught)
                    .singleElement()
                    .satisfies(failure -> assertThat(failure).hasMessage("broken handler"));
            uncaught.clear();
            assertThat(strict.close(TIMEOUT)).isTrue();
        }
    }

    @Nested
    class GivenClose {
        @Test
        void whenTimersArePending_thenTheyAreDroppedAndFurtherOnesRefused() {
            TimerNode pending = running(() -> {});
            timers.start(pending, in(Duration.ofHours(1)));

            assertThat(timers.close(TIMEOUT)).isTrue();

            assertThat(wheel.size()).isZero();
            assertThat(timers.start(pending, System.nanoTime())).isFalse();
            assertThat(timers.cancel(pending)).isFalse();
            assertThat(timers.close(TIMEOUT)).as("a second time").isTrue();
            assertThat(timers.toString()).startsWith("TimerThread[closed, ");
        }

        @Test
        void whenATimerBlocks_thenItIsInterrupted() throws InterruptedException {
            var blocked = new CountDownLatch(1);
            timers.start(
                    running(() -> {
                        blocked.countDown();
                        sleepUntilInterrupted();
                    }),
                    System.nanoTime());
            assertThat(blocked.await(10, SECONDS)).isTrue();

            assertThat(timers.close(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
        }

        @Test
        void whenATimerIgnoresTheInterrupt_thenCloseGivesUpInTime() throws InterruptedException {
            var blocked = new CountDownLatch(1);
            var release = new Semaphore(0);
            timers.start(
                    running(() -> {
                        blocked.countDown();
                        release.acquireUninterruptibly();
                    }),
                    System.nanoTime());
            assertThat(blocked.await(10, SECONDS)).isTrue();

            assertThat(timers.close(Duration.ofMillis(20))).isFalse();
            assertThat(timers.close(Duration.ZERO)).isFalse();
            release.release();
        }

        @Test
        void whenATimerCloses_thenItDoesNotWaitForItself() throws InterruptedException {
            var closed = new LinkedBlockingQueue<Boolean>();
            var unexpected = new AtomicBoolean();
            long now = System.nanoTime();
            timers.start(running(() -> closed.add(timers.close(TIMEOUT))), now + MILLISECONDS.toNanos(50));
            timers.start(running(() -> unexpected.set(true)), now + MILLISECONDS.toNanos(50));

            assertThat(closed.poll(10, SECONDS))
                    .as("the thread is alive: it is the caller")
                    .isFalse();
            created.get(0).join(TIMEOUT.toMillis());
            assertThat(unexpected).as("fired after close").isFalse();
        }

        @Test
        void whenStartsRaceWithClose_thenNoneIsLeftBehind() throws InterruptedException {
            for (int round = 0; round < 200; round++) {
                var raceWheel = new TimerWheel(System.nanoTime(), (node, failure) -> failures.add(failure));
                var race = new TimerThread(raceWheel, System::nanoTime, TimerThreadTest.this::newThread);
                var starter = new Thread(() -> {
                    while (race.start(running(() -> {}), in(Duration.ofHours(1)))) {
                        Thread.onSpinWait();
                    }
                });
                starter.start();
                if (round % 2 == 0) {
                    await().atMost(TIMEOUT)
                            .pollDelay(Duration.ZERO)
                            .pollInterval(Duration.ofMillis(1))
                            .until(() -> raceWheel.size() > 0);
                }

                assertThat(race.close(TIMEOUT)).isTrue();
                starter.join(TIMEOUT.toMillis());
                assertThat(starter.isAlive()).isFalse();
                assertThat(raceWheel.size()).isZero();
            }
        }

        private static void sleepUntilInterrupted() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
