// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.LincheckSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: in a whole scheduler with two workers and three processes nothing hangs, no wake-up is lost, and every process is
 * closed once, however its threads take turns.
 *
 * <p>Method: Lincheck runs the production classes, all of them, and chooses which thread goes on at each access to shared
 * memory. One process sends a message to a second, which yields a command, awaits it and answers; the third only waits,
 * and is terminated from outside. Workers sleep in a {@link Parker} whose sleep ends by a wake-up only, as Lincheck lets a
 * thread's own park end by itself. The twins lose a wake-up: a parker that keeps no permit, and a sender that does not
 * push the process that it woke. To print what led to the fault takes Lincheck most of a minute, so they are among the
 * deep tests.
 */
@Tag("model")
class WholeSchedulerModelTest {
    private static final int INVOCATIONS = 30;
    private static final int INVOCATIONS_DEEP = 1_000;
    private static final int PROCESSES = 3;
    private static final int LOOP_BOUND = 200;
    private static final int RECURSION_BOUND = 100; // StackRoom

    /** Turns of two workers, run by hand on two threads. */
    @Test
    void givenTwoWorkersRunByHand_whenModelChecked_thenAllEndAndAreClosedOnce() {
        modelCheck(INVOCATIONS, new Turning(true));
    }

    @Test
    @Tag("deep")
    void givenTwinThatDoesNotPushWhatItWoke_whenModelChecked_thenFaultFound() {
        assertFaultFound(new Turning(false), "2 of 3 closed");
    }

    /** Two workers that sleep when there is nothing to do. */
    @Test
    void givenTwoWorkersThatSleep_whenModelChecked_thenAllEndAndAreClosedOnce() {
        modelCheck(INVOCATIONS, new FallingAsleep(true));
    }

    @Test
    @Tag("deep")
    void givenTwinWhoseParkerKeepsNoPermit_whenModelChecked_thenFaultFound() {
        assertFaultFound(new FallingAsleep(false), "at WholeSchedulerModelTest.TestParker.park");
    }

    @Test
    @Tag("deep")
    void givenTwoWorkersRunByHand_whenModelCheckedAtLength_thenAllEndAndAreClosedOnce() {
        modelCheck(INVOCATIONS_DEEP, new Turning(true));
    }

    @Test
    @Tag("deep")
    void givenTwoWorkersThatSleep_whenModelCheckedAtLength_thenAllEndAndAreClosedOnce() {
        modelCheck(INVOCATIONS_DEEP, new FallingAsleep(true));
    }

    /** A process is submitted while the scheduler shuts down. */
    @Test
    void givenSubmissionAndShutdown_whenModelChecked_thenAllThatBeganIsClosedOnce() {
        modelCheck(INVOCATIONS / 3, new ShuttingDown()); // each takes long
    }

    @Test
    @Tag("deep")
    void givenSubmissionAndShutdown_whenModelCheckedAtLength_thenAllThatBeganIsClosedOnce() {
        modelCheck(INVOCATIONS_DEEP, new ShuttingDown());
    }

    /**
     * As {@link Lincheck#runConcurrentTest}, but does not take a loop or a recursion of a hundred rounds for one without an
     * end, of which the scheduler has some. The settings are not public in this version.
     */
    private static void modelCheck(int invocations, Runnable program) {
        LincheckSettings standard = LincheckSettings.Companion.getDEFAULT();
        LincheckSettings settings = new LincheckSettings(
                standard.getAnalyzeStdLib(),
                standard.getLoopIterationsBeforeThreadSwitch(),
                LOOP_BOUND,
                RECURSION_BOUND);
        Lincheck.runConcurrentTestInternal$lincheck(invocations, settings, program);
    }

    /** Takes what the report must say: a run that only takes too long is reported as hung, too. */
    private static void assertFaultFound(Runnable program, String sign) {
        assertThatThrownBy(() -> modelCheck(INVOCATIONS_DEEP, program))
                .as("a test that misses a lost wake-up is no test of the scheduler")
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining(sign);
    }

    /** A turn of a worker, of which two threads may run one each: who uses a SteppedScheduler must be one thread. */
    private static boolean runOne(Scheduler scheduler, int worker) {
        return scheduler.group.workers()[worker].runOne();
    }

    /**
     * Makes something without Lincheck's eyes on it. The constructor of a scheduler has loops of hundreds of rounds, which
     * Lincheck takes for loops without end; nobody else can see the scheduler yet, so there is nothing to interleave.
     */
    private static <T> T unobserved(Supplier<T> maker) {
        try {
            Class<?> injections = Class.forName("sun.nio.ch.lincheck.Injections", true, null);
            injections.getMethod("enterIgnoredSection").invoke(null);
            try {
                return maker.get();
            } finally {
                injections.getMethod("leaveIgnoredSection").invoke(null);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * A program for Lincheck. It instruments the classes of the objects that it can reach from here before it starts; those
     * that are first made unobserved it would miss. Hence the example of a scheduler, which is not used.
     */
    private abstract static class Program implements Runnable {
        final SteppedScheduler example = Scheduler.builder().workers(2).stepped();

        Program() {
            example.scheduler().submit(Process.of((events, out) -> {}), "main");
        }
    }

    private static final class Turning extends Program {
        private final boolean pushesWhatItWakes;

        Turning(boolean pushesWhatItWakes) {
            this.pushesWhatItWakes = pushesWhatItWakes;
        }

        @Override
        public void run() {
            new Turns(pushesWhatItWakes).play();
        }
    }

    private static final class FallingAsleep extends Program {
        private final boolean keepsPermit;

        FallingAsleep(boolean keepsPermit) {
            this.keepsPermit = keepsPermit;
        }

        @Override
        public void run() {
            new Sleeping(keepsPermit).play();
        }
    }

    private static final class ShuttingDown extends Program {
        @Override
        public void run() {
            new Closing().play();
        }
    }

    /** The three processes, and what became of them. */
    private static final class Cast {
        private final AtomicInteger closed = new AtomicInteger();
        private final CommandRegistry registry =
                new CommandRegistry().register(Ask.class, (command, receiver) -> receiver.complete("answer"));

        /** Asks, is answered and is done. */
        final class Asker extends Member {
            private final Pid answerer;

            Asker(Pid answerer) {
                this.answerer = answerer;
            }

            @Override
            public void step(Events events, StepOutput out) {
                if (events.isEmpty()) {
                    context().send(answerer, "question", context().self());
                } else {
                    out.done();
                }
            }
        }

        /** Has to ask a handler, too, before it answers. */
        final class Answerer extends Member {
            private @Nullable Pid asker;

            @Override
            public void step(Events events, StepOutput out) {
                for (Event event : events) {
                    if (event instanceof Message message) {
                        asker = message.payload(Pid.class);
                        out.yield(new Ask(), 1);
                        out.await();
                    } else {
                        context().send(asker, "answer", null);
                        out.done();
                    }
                }
            }
        }

        /** Waits for what never comes. */
        final class Waiter extends Member {
            @Override
            public void step(Events events, StepOutput out) {
                out.idle();
            }
        }

        private abstract class Member implements Process {
            private @Nullable ProcessContext context;

            @Override
            public void init(ProcessContext context, String method, Payloads input) {
                this.context = context;
            }

            final ProcessContext context() {
                return context;
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        }

        void assertClosedOnce(Scheduler scheduler) {
            if (closed.get() != PROCESSES || scheduler.table.size() != 0) {
                throw new IllegalStateException(closed + " of " + PROCESSES + " closed, " + scheduler);
            }
        }
    }

    private record Ask() implements Command {}

    /** One thread shuts the scheduler down while another submits: it is refused, or what it submitted is closed. */
    private static final class Closing {
        private final AtomicInteger begun = new AtomicInteger();
        private final AtomicInteger closed = new AtomicInteger();
        private final SteppedScheduler stepped =
                unobserved(() -> Scheduler.builder().workers(1).stepped());
        private final Scheduler scheduler = stepped.scheduler();

        void play() {
            scheduler.submit(new Counted(), "main");
            ModelThreads submitter = ModelThreads.start(this::submit);
            scheduler.shutdown(Duration.ZERO);
            submitter.join();
            if (closed.get() != begun.get() || scheduler.table.size() != 0) {
                throw new IllegalStateException(closed + " of " + begun + " closed, " + scheduler);
            }
        }

        private void submit() {
            try {
                scheduler.submit(new Counted(), "main");
            } catch (SubmissionRefusedException refused) {
                // As may be: what was begun is closed, which is what counts.
            }
        }

        private final class Counted implements Process {
            @Override
            public void init(ProcessContext context, String method, Payloads input) {
                begun.incrementAndGet();
            }

            @Override
            public void step(Events events, StepOutput out) {
                if (!events.isEmpty()) {
                    out.done();
                }
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        }
    }

    /** Two threads take turns of the two workers; the rest is run when they have ended. */
    private static final class Turns {
        private static final int TURNS = 3;

        private final boolean pushesWhatItWakes;
        private final Cast cast = new Cast();
        private final SteppedScheduler stepped = unobserved(
                () -> Scheduler.builder().workers(2).handlers(cast.registry).stepped());
        private final Scheduler scheduler = stepped.scheduler();

        Turns(boolean pushesWhatItWakes) {
            this.pushesWhatItWakes = pushesWhatItWakes;
        }

        void play() {
            ProcessRef waiter = scheduler.submit(cast.new Waiter(), "main");
            stepped.runOne(0); // so that it sleeps
            ProcessRef answerer = scheduler.submit(cast.new Answerer(), "main");
            scheduler.submit(cast.new Asker(answerer.pid()), "main");
            ModelThreads workers = ModelThreads.start(() -> run(0), () -> run(1));
            terminate(waiter);
            workers.join();
            stepped.runAll();
            cast.assertClosedOnce(scheduler);
        }

        private void run(int worker) {
            for (int i = 0; i < TURNS; i++) {
                runOne(scheduler, worker);
            }
        }

        private void terminate(ProcessRef ref) {
            if (pushesWhatItWakes) {
                ref.terminate();
            } else if (ref.pid().cell().pushUrgent(new Kill("terminated")) == EventStack.Push.CLOSED) {
                throw new IllegalStateException("it cannot have ended");
            }
        }
    }

    /**
     * Two threads run the workers' turns, and sleep when there is nothing to do, by the rule in {@link Sleepers}. This is
     * the loop of {@link Worker} without its spinning: with it, one run has more switches than Lincheck gets through.
     */
    private static final class Sleeping {
        private final Cast cast = new Cast();
        private final TestParker[] parkers;
        private final SteppedScheduler stepped;
        private final Scheduler scheduler;

        Sleeping(boolean keepsPermit) {
            parkers = new TestParker[] {new TestParker(keepsPermit), new TestParker(keepsPermit)};
            var next = new int[1];
            stepped = unobserved(() -> Scheduler.builder()
                    .workers(2)
                    .handlers(cast.registry)
                    .parkers(() -> parkers[next[0]++])
                    .stepped());
            scheduler = stepped.scheduler();
        }

        void play() {
            ModelThreads workers = ModelThreads.start(() -> run(0), () -> run(1));
            ProcessRef waiter = scheduler.submit(cast.new Waiter(), "main");
            ProcessRef answerer = scheduler.submit(cast.new Answerer(), "main");
            scheduler.submit(cast.new Asker(answerer.pid()), "main");
            waiter.terminate();
            workers.join();
            cast.assertClosedOnce(scheduler);
        }

        private void run(int worker) {
            WorkerGroup group = scheduler.group;
            boolean searching = false;
            while (isAnyLeft()) {
                if (runOne(scheduler, worker)) {
                    if (searching) {
                        group.stopSearching();
                    }
                    searching = false;
                } else {
                    group.sleepers.announce(worker, searching);
                    if (group.hasWork()) {
                        group.wakeOne();
                    }
                    if (isAnyLeft()) {
                        parkers[worker].park();
                        searching = true;
                    }
                }
            }
            group.wakeAll();
        }

        private boolean isAnyLeft() {
            return cast.closed.get() < PROCESSES;
        }
    }

    /** Sleeps until it is woken, and by nothing else. As a twin, who is woken before it sleeps does sleep. */
    private static final class TestParker implements Parker {
        private final boolean keepsPermit;
        private volatile boolean permit;

        TestParker(boolean keepsPermit) {
            this.keepsPermit = keepsPermit;
        }

        @Override
        public void park() {
            if (!keepsPermit) {
                permit = false;
            }
            while (!permit) {
                Thread.onSpinWait();
            }
            permit = false;
        }

        @Override
        public void unpark() {
            permit = true;
        }
    }
}
