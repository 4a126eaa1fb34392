// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What once left a scheduler without workers, or a command without an answer: no thread to be had, an error inside. */
class WorkerRegressionTest {
    private static final Logger LOG = Logger.getLogger("dev.treadle");

    /** Long enough for any machine; what goes wrong here goes wrong for ever. */
    private static final int PATIENCE_SECONDS = 30;

    private final RationedThreads threads = new RationedThreads();
    private final HeldUp step = new HeldUp();
    private final HeldUp callback = new HeldUp();

    /** Answered by nobody. */
    private record Silence() implements Command {}

    /** What is provoked here is also logged, which helps no reader. */
    @BeforeEach
    void logNothing() {
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void release() {
        step.release();
        callback.release();
        LOG.setLevel(null);
    }

    private static Object runOneMore(Scheduler scheduler) throws Exception {
        return scheduler
                .submit(Process.of((events, out) -> out.done("ran")), "main")
                .result()
                .get(PATIENCE_SECONDS, SECONDS);
    }

    /** S5: the worker was counted as searching for ever, so nobody was woken any more. */
    @AtWorkers
    void s5_whenASearchForWorkFails_thenWorkersAreStillWoken(int workers) throws Exception {
        var time = new FailsInASearch();
        try (Scheduler scheduler =
                Scheduler.builder().workers(workers).time(time).start()) {
            ProcessRef ref = scheduler.submit(Process.of((events, out) -> {}), "main");
            time.failuresDue.set(10); // not each of several workers that look for work is counted as searching
            Soon.until(() -> {
                ref.send("wake", null); // so that the workers search, until one reads the clock
                return time.failuresDue.get() == 0;
            });
            Soon.until(scheduler.group::isQuiet);

            assertThat(runOneMore(scheduler)).isEqualTo("ran");
        }
    }

    @Nested
    class GivenAWorkerThatIsHeldUp {
        private void holdUp(Scheduler scheduler) {
            scheduler.submit(Process.of((events, out) -> step.blockDeafly()), "main");
            Soon.until(() -> step.entered.get() == 1);
        }

        /** S8: the watchdog told the listener first, and got to the spare worker when that returned. */
        @Test
        void s8_whenTheListenerOfTheSlowStepBlocks_thenASpareWorkerTakesOver() throws Exception {
            Scheduler scheduler = Scheduler.builder()
                    .workers(1)
                    .slowStepLimit(Duration.ofMillis(10))
                    .listener(new SchedulerListener() {
                        @Override
                        public void onSlowStep(SlowStep slow) {
                            callback.blockDeafly();
                        }
                    })
                    .start();
            try {
                holdUp(scheduler);
                Soon.until(() -> callback.entered.get() == 1);

                assertThat(runOneMore(scheduler)).isEqualTo("ran");
            } finally {
                release();
                scheduler.close();
            }
        }

        /** S8: each failure used up one of the places for spare workers. */
        @Test
        void s8_whenThereIsNoThreadForASpareWorkerForALongTime_thenItIsTriedAgainUntilThereIs() throws Exception {
            Scheduler scheduler = Scheduler.builder()
                    .workers(1)
                    .slowStepLimit(Duration.ofMillis(4))
                    .threads(threads)
                    .start();
            try {
                threads.refuse();
                holdUp(scheduler);
                Soon.until(() -> threads.refusals.get() > WorkerGroup.SPARES_MAX);
                threads.allow(1);

                assertThat(runOneMore(scheduler)).isEqualTo("ran");
            } finally {
                release();
                scheduler.close();
            }
        }
    }

    /** E3: the threads that had started stayed, with nobody to end them. */
    @Nested
    class GivenAStartThatFails {
        private static final int WORKERS = 4;

        @ParameterizedTest(name = "after {0} threads")
        @ValueSource(ints = {0, 1, 2, WORKERS - 1, WORKERS})
        void e3_whenTheFactoryMakesNoMoreThreads_thenNoneIsLeft(int made) {
            threads.allow(made);

            assertThatNothingStarts();

            assertThat(threads.made).hasSize(made);
        }

        @ParameterizedTest(name = "after {0} threads")
        @ValueSource(ints = {0, 1, 2, WORKERS - 1, WORKERS})
        void e3_whenAThreadDoesNotStart_thenNoneIsLeft(int started) {
            threads.allowStarts(started);

            assertThatNothingStarts();

            assertThat(threads.made).hasSize(started + 1);
        }

        private void assertThatNothingStarts() {
            assertThatThrownBy(Scheduler.builder().workers(WORKERS).threads(threads)::start)
                    .isInstanceOf(NoThreadError.class);
            Soon.until(() -> threads.made.stream().noneMatch(Thread::isAlive));
        }
    }

    @Nested
    class GivenCommands {
        /** Y1: the step's process ended with the error, in place of the yield. */
        @Test
        void y1_whenThereIsNoThreadForTheTimer_thenTheYieldFailsAndTheNextOneTriesAgain() throws Exception {
            var registry = new CommandRegistry().register(Silence.class, (silence, receiver) -> {});
            try (Scheduler scheduler = Scheduler.builder()
                    .workers(1)
                    .slowStepLimit(Duration.ofMinutes(10))
                    .handlers(registry)
                    .threads(threads)
                    .start()) {
                threads.refuse();
                assertThat(errorOfTimedYield(scheduler)).isInstanceOf(NoThreadError.class);
                assertThat(runOneMore(scheduler)).isEqualTo("ran");

                threads.allow(1);
                assertThat(errorOfTimedYield(scheduler)).isInstanceOf(CommandTimeoutException.class);
            }
        }

        private static Object errorOfTimedYield(Scheduler scheduler) throws Exception {
            Process process = Process.of((events, out) -> {
                if (events.isEmpty()) {
                    out.yield(new Silence(), 1, Duration.ofMillis(1));
                } else {
                    out.done(((Completion) events.get(0)).error());
                }
            });
            return scheduler.submit(process, "main").result().get(PATIENCE_SECONDS, SECONDS);
        }

        /** Y1, Y7: the call kept its place among those that run, and those that waited for it waited for ever. */
        @ParameterizedTest(name = "the pool refuses: {0}")
        @ValueSource(booleans = {false, true})
        void y1_whenThereIsNoThreadForABlockingCall_thenItAndThoseBehindItFailAndLaterOnesRun(boolean refuses)
                throws Exception {
            var factory = new AtomicReference<ThreadFactory>();
            var handler = new BlockingHandler<>(
                    Silence.class,
                    CallLimit.of(1, 10),
                    (silence, call) -> "ran",
                    blockingThreads(factory),
                    new Bindings(null, new Listeners(List.of())));
            var first = new Answer();
            var second = new Answer();
            var third = new Answer();
            var looks = new AtomicInteger();
            factory.set(task -> {
                if (looks.getAndIncrement() == 0) {
                    dispatch(handler, second); // it comes while the first one looks for a thread, and has to wait
                }
                if (refuses) {
                    return null;
                }
                throw new NoThreadError();
            });

            dispatch(handler, first);

            assertThat(first.future).isCompletedExceptionally();
            assertThat(second.future).isCompletedExceptionally();
            factory.set(threads);
            dispatch(handler, third);
            assertThat(third.future.get(PATIENCE_SECONDS, SECONDS)).isEqualTo("ran");
        }

        /** As a worker does: what a handler throws fails the yield. */
        private static void dispatch(BlockingHandler<Silence> handler, Answer answer) {
            try {
                handler.handle(new Silence(), answer);
            } catch (Throwable thrown) {
                answer.fail(thrown);
            }
        }

        /** With a pool like the real one, but for its threads. */
        private static BlockingThreads blockingThreads(AtomicReference<ThreadFactory> factory) throws Exception {
            var threads = new BlockingThreads("regression");
            var pool = new ThreadPoolExecutor(
                    0,
                    Integer.MAX_VALUE,
                    1,
                    SECONDS,
                    new SynchronousQueue<>(),
                    task -> factory.get().newThread(task));
            field(BlockingThreads.class, "pool").set(threads, pool);
            return threads;
        }

        /**
         * P6: the arrays were of different lengths afterwards, for whichever process came next. A missing array stands for
         * one that there is no memory for.
         */
        @Test
        void p6_whenThereIsNoMemoryForMoreYields_thenTheNextStepCanYieldAllTheSame() throws Exception {
            var out = new StepOutput();
            Field timeouts = field(StepOutput.class, "timeouts");
            long[] kept = (long[]) timeouts.get(out);
            int room = kept.length;
            out.open();
            for (int i = 0; i < room; i++) {
                out.yield(new Silence(), i);
            }
            timeouts.set(out, null);
            assertThatThrownBy(() -> out.yield(new Silence(), room)).isInstanceOf(NullPointerException.class);
            timeouts.set(out, kept);
            out.clear();

            out.open();
            for (int i = 0; i <= room; i++) {
                out.yield(new Silence(), i, Duration.ofNanos(i + 1));
            }

            assertThat(out.yields()).isEqualTo(room + 1);
            assertThat(out.command(room)).isEqualTo(new Silence());
            assertThat(out.tag(room)).isEqualTo(room);
            assertThat(out.timeoutNanos(room)).isEqualTo(room + 1);
        }
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    /** What a virtual machine throws that has no more threads, as an error that is surely of this test. */
    static final class NoThreadError extends Error {
        private static final long serialVersionUID = 1;

        NoThreadError() {
            super("unable to create a thread", null, false, false);
        }
    }

    /** Makes daemon threads, as many as the test allows. */
    static final class RationedThreads implements ThreadFactory {
        final List<Thread> made = new CopyOnWriteArrayList<>();
        final AtomicInteger refusals = new AtomicInteger();
        private final AtomicInteger allowed = new AtomicInteger(Integer.MAX_VALUE);
        private final AtomicInteger startsAllowed = new AtomicInteger(Integer.MAX_VALUE);

        void refuse() {
            allow(0);
        }

        /** So many more can be made. */
        void allow(int more) {
            allowed.set(more);
        }

        /** So many more can be started. */
        void allowStarts(int more) {
            startsAllowed.set(more);
        }

        @Override
        public Thread newThread(Runnable task) {
            take(allowed);
            var thread = new Thread(task) {
                @Override
                public synchronized void start() {
                    take(startsAllowed);
                    super.start();
                }
            };
            thread.setDaemon(true);
            made.add(thread);
            return thread;
        }

        private void take(AtomicInteger ration) {
            if (ration.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
                refusals.incrementAndGet();
                throw new NoThreadError();
            }
        }
    }

    /** A clock that fails a few times, when a worker reads it that looks for work. */
    private static final class FailsInASearch implements TimeSource {
        private static final StackWalker STACK = StackWalker.getInstance();

        private final AtomicInteger failuresDue = new AtomicInteger();

        @Override
        public long nanos() {
            if (failuresDue.get() > 0 && isInASearch() && failuresDue.getAndUpdate(due -> Math.max(0, due - 1)) > 0) {
                throw new AssertionError("the clock fails");
            }
            return System.nanoTime();
        }

        private static boolean isInASearch() {
            return STACK.walk(
                    frames -> frames.anyMatch(frame -> frame.getMethodName().equals("awaitWork")));
        }

        @Override
        public Instant instant() {
            return Instant.now();
        }
    }
}
