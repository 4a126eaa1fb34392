// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Brings a piece of code to one of the places where a scheduler calls user code, and lets it run there once, in a
 * scheduler with a neighbour who wants to be left in peace.
 */
final class UserCode implements AutoCloseable {
    /** Where a scheduler calls user code. */
    enum Place {
        INIT,
        SPAWNED_INIT,
        UPGRADE_INIT,
        STEP,
        CLOSE,
        HANDLER,
        ASYNC_FUNCTION,
        BLOCKING_FUNCTION,
        ON_CANCEL_AT_THE_END,
        ON_CANCEL_BY_SIGNAL,
        ON_CANCEL_BY_TIMEOUT,
        ON_START,
        ON_COMPLETE,
        ON_DEAD_LETTER,
        ON_SLOW_STEP
    }

    /** What to run there. */
    @FunctionalInterface
    interface Code {
        void run() throws Throwable;
    }

    private record Quick() implements Command {}

    private record Async() implements Command {}

    private record Blocking() implements Command {}

    private record Endless() implements Command {}

    final Scheduler scheduler;
    final Neighbour neighbour;
    final RecordingListener listener = new RecordingListener();

    /** A process that has ended already, with "ended". */
    final ProcessRef ended;

    /** Counts down when the code is about to run. */
    final CountDownLatch reached = new CountDownLatch(1);

    /** The process that the code belongs to: its closes, and the completion that it got. */
    final AtomicInteger closes = new AtomicInteger();

    volatile Completion completion;
    volatile ProcessContext context;

    /** What the code threw. */
    volatile Throwable thrown;

    /** A {@link ProcessRef}, or what the submission threw. */
    private final CompletableFuture<Object> submission = new CompletableFuture<>();

    private final Place place;
    private final Code code;
    private final AtomicBoolean ran = new AtomicBoolean();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final int workers;

    UserCode(Place place, int workers, Code code) {
        this.place = place;
        this.workers = workers;
        this.code = code;
        scheduler = Scheduler.builder()
                .workers(workers)
                .slowStepLimit(place == Place.ON_SLOW_STEP ? Duration.ofMillis(1) : Duration.ofMillis(20))
                .shutdownTimeout(Duration.ZERO)
                .threads(task -> {
                    Thread thread = new Thread(task);
                    thread.setDaemon(true);
                    threads.add(thread);
                    return thread;
                })
                .listener(new Reaching())
                .listener(listener)
                .handlers(new CommandRegistry()
                        .register(Quick.class, (command, receiver) -> {
                            at(Place.HANDLER);
                            receiver.complete("answer");
                        })
                        .registerAsync(Async.class, command -> {
                            at(Place.ASYNC_FUNCTION);
                            return CompletableFuture.completedFuture("answer");
                        })
                        .registerBlocking(Blocking.class, command -> {
                            at(Place.BLOCKING_FUNCTION);
                            return "answer";
                        })
                        .register(
                                Endless.class,
                                (command, receiver) -> receiver.onCancel(() -> {
                                    at(Place.ON_CANCEL_AT_THE_END);
                                    at(Place.ON_CANCEL_BY_TIMEOUT);
                                    at(Place.ON_CANCEL_BY_SIGNAL);
                                })))
                .start();
        neighbour = Neighbour.moveInto(scheduler);
        ended = scheduler.submit(Process.of((events, out) -> out.done("ended")), "main");
        Soon.exitOf(ended);
    }

    /** Starts the process that gets to the place, and waits until the code is about to run. */
    void go() throws InterruptedException {
        switch (place) {
            case SPAWNED_INIT, ON_START ->
                scheduler.submit(
                        Process.of((events, out) -> {
                            submit(new Victim()); // a submission by a worker
                            out.done();
                        }),
                        "main");
            case UPGRADE_INIT -> submit(Process.of((events, out) -> out.upgrade(new Victim(), "main")));
            default -> {
                var submitter = new Thread(() -> submit(new Victim()), "submitter");
                submitter.setDaemon(true);
                submitter.start();
            }
        }
        if (!reached.await(Soon.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("not called within " + Soon.LIMIT);
        }
    }

    /** Ends normally in any case: some throwables cannot be put in the exception that a future would throw. */
    private void submit(Process process) {
        try {
            submission.complete(scheduler.submit(process, "main"));
        } catch (Throwable t) {
            submission.complete(t);
        }
    }

    /** Waits for the process that the code belongs to. */
    ProcessRef process() {
        return (ProcessRef) Soon.get(submission);
    }

    /** Waits for what the submission threw. */
    Throwable refusal() {
        return (Throwable) Soon.get(submission);
    }

    /** Whether the workers are those that there were at the start, and live. */
    boolean isWhole() {
        List<Thread> ofWorkers = threads.stream()
                .filter(thread -> thread.getName().contains("-worker-"))
                .toList();
        return ofWorkers.size() == workers && ofWorkers.stream().allMatch(Thread::isAlive);
    }

    /** Throws anything, checked or not. */
    @SuppressWarnings("unchecked")
    static <E extends Throwable> RuntimeException sneaky(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private void at(Place here) {
        if (here == place && ran.compareAndSet(false, true)) {
            reached.countDown();
            try {
                code.run();
            } catch (Throwable t) {
                thrown = t;
                throw UserCode.<RuntimeException>sneaky(t);
            }
        }
    }

    @Override
    public void close() {
        scheduler.close();
    }

    /** Gets to the place, and is done if nothing hinders it. */
    private final class Victim implements Process {
        private boolean begun;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            UserCode.this.context = context;
            at(place == Place.SPAWNED_INIT || place == Place.UPGRADE_INIT ? place : Place.INIT);
        }

        @Override
        public void step(Events events, StepOutput out) throws InterruptedException {
            for (Event event : events) {
                if (event instanceof Completion answer) {
                    completion = answer;
                }
            }
            if (begun) {
                out.done("done");
                return;
            }
            begun = true;
            at(Place.STEP);
            switch (place) {
                case HANDLER -> out.yield(new Quick(), 1);
                case ASYNC_FUNCTION -> out.yield(new Async(), 1);
                case BLOCKING_FUNCTION -> out.yield(new Blocking(), 1);
                case ON_CANCEL_BY_TIMEOUT -> out.yield(new Endless(), 1, Duration.ofMillis(1));
                case ON_CANCEL_BY_SIGNAL -> {
                    out.yield(new Endless(), 1);
                    scheduler.cancel(context.self(), "as a test");
                }
                case ON_CANCEL_AT_THE_END -> {
                    out.yield(new Endless(), 1);
                    out.done("done");
                }
                case ON_DEAD_LETTER -> {
                    context.send(Pid.of("nowhere", 1), "lost", null);
                    out.done("done");
                }
                case ON_SLOW_STEP -> {
                    reached.await();
                    out.done("done");
                }
                default -> out.done("done");
            }
        }

        @Override
        public void close() {
            closes.incrementAndGet();
            at(Place.CLOSE);
        }
    }

    private final class Reaching implements SchedulerListener {
        private boolean isVictim(Pid pid) {
            return context != null && context.self().equals(pid);
        }

        @Override
        public void onStart(ProcessInfo process) {
            if (isVictim(process.pid())) {
                at(Place.ON_START);
            }
        }

        @Override
        public void onComplete(ProcessExit exit) {
            if (isVictim(exit.pid())) {
                at(Place.ON_COMPLETE);
            }
        }

        @Override
        public void onDeadLetter(DeadLetter letter) {
            if (letter.envelope().topic().equals("lost")) {
                at(Place.ON_DEAD_LETTER);
            }
        }

        @Override
        public void onSlowStep(SlowStep step) {
            if (isVictim(step.pid())) {
                at(Place.ON_SLOW_STEP);
            }
        }
    }
}
