// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Y5: when nobody wants the answer any more, the handler is told, so that it can stop its work. */
class YieldCancellationTest {
    /** The ways in which nobody wants the answer any more. */
    enum Ending {
        DONE,
        THROWS,
        TERMINATED,
        CANCELLED,
        UPGRADED;

        void end(ProcessRef process) {
            switch (this) {
                case DONE -> process.send("done", null);
                case THROWS -> process.send("throw", null);
                case TERMINATED -> process.terminate();
                case CANCELLED -> process.cancel("no longer needed");
                case UPGRADED -> process.send("upgrade", null);
            }
        }
    }

    static List<Arguments> endings() {
        var all = new ArrayList<Arguments>();
        for (Ending ending : Ending.values()) {
            for (int workers : new int[] {1, 2, 8}) {
                all.add(Arguments.of(ending, workers));
            }
        }
        return all;
    }

    private static final int YIELDS = 5;

    private final Hold.Held held = new Hold.Held();

    /** Yields some commands, then ends as it is told to; goes on when it is cancelled. */
    private static Process process(boolean awaits) {
        return Process.of((events, out) -> {
            if (events.isEmpty()) {
                for (int tag = 0; tag < YIELDS; tag++) {
                    out.yield(new Hold(), tag);
                }
            }
            if (!awaits) {
                out.idle();
            } else {
                out.await();
            }
            for (Event event : events) {
                if (event instanceof Message message) {
                    switch (message.topic()) {
                        case "done" -> out.done();
                        case "upgrade" -> out.upgrade(Process.of((more, then) -> {}), "main");
                        default -> throw new IOException("as told");
                    }
                }
            }
        });
    }

    private Scheduler start(int workers) {
        return Scheduler.builder()
                .workers(workers)
                .shutdownTimeout(Duration.ZERO)
                .handlers(new CommandRegistry().register(Hold.class, held))
                .start();
    }

    private List<ResultReceiver> takeAll() throws InterruptedException {
        var receivers = new ArrayList<ResultReceiver>();
        for (int i = 0; i < YIELDS; i++) {
            receivers.add(held.take());
        }
        return receivers;
    }

    @ParameterizedTest(name = "{0}, {1} workers")
    @MethodSource("endings")
    void y5_theHandlersOfAllYieldsInFlightAreToldOnce(Ending ending, int workers) throws Exception {
        var told = new CopyOnWriteArrayList<Long>();
        try (Scheduler scheduler = start(workers)) {
            ProcessRef process = scheduler.submit(process(false), "main");
            List<ResultReceiver> receivers = takeAll();
            receivers.forEach(receiver -> receiver.onCancel(() -> told.add(receiver.tag())));
            assertThat(receivers).noneMatch(ResultReceiver::isCancelled);
            ending.end(process);
            Soon.until("all told", () -> told.size() >= YIELDS);
            process.terminate();
            Soon.exitOf(process);

            assertThat(told).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L);
            assertThat(receivers).allMatch(ResultReceiver::isCancelled);
        }
    }

    @ParameterizedTest(name = "{0}, {1} workers")
    @MethodSource("endings")
    void y5_anActionThatComesAfterTheFactRunsAtOnce(Ending ending, int workers) throws Exception {
        try (Scheduler scheduler = start(workers)) {
            ProcessRef process = scheduler.submit(process(false), "main");
            List<ResultReceiver> receivers = takeAll();
            ending.end(process);
            Soon.until("cancelled", () -> receivers.stream().allMatch(ResultReceiver::isCancelled));
            var told = new ArrayList<Thread>();
            receivers.get(0).onCancel(() -> told.add(Thread.currentThread()));

            assertThat(told).containsExactly(Thread.currentThread());
        }
    }

    @ParameterizedTest(name = "{0}, {1} workers")
    @MethodSource("endings")
    void y5_noActionRunsOnceTheYieldIsAnswered(Ending ending, int workers) throws Exception {
        var told = new CopyOnWriteArrayList<Long>();
        try (Scheduler scheduler = start(workers)) {
            ProcessRef process = scheduler.submit(process(false), "main");
            List<ResultReceiver> receivers = takeAll();
            ResultReceiver answered = receivers.get(0);
            answered.onCancel(() -> told.add(answered.tag()));
            answered.complete("in time");
            receivers.subList(1, YIELDS).forEach(receiver -> receiver.onCancel(() -> told.add(receiver.tag())));
            ending.end(process);
            Soon.until("the others are told", () -> told.size() >= YIELDS - 1);
            process.terminate();
            Soon.exitOf(process);
            answered.onCancel(() -> told.add(answered.tag()));

            assertThat(told).containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
            assertThat(answered.isCancelled()).isFalse();
        }
    }

    @ParameterizedTest(name = "{0}, {1} workers")
    @MethodSource("endings")
    void y5_anActionThatThrowsHurtsNobody(Ending ending, int workers) throws Exception {
        var told = new CopyOnWriteArrayList<Long>();
        try (Scheduler scheduler = start(workers);
                var log = new LogRecorder()) {
            ProcessRef process = scheduler.submit(process(false), "main");
            for (ResultReceiver receiver : takeAll()) {
                receiver.onCancel(() -> {
                    told.add(receiver.tag());
                    throw new AssertionError("from action " + receiver.tag());
                });
            }
            ending.end(process);
            Soon.until("all told", () -> told.size() >= YIELDS);
            process.terminate();
            Soon.exitOf(process);

            assertThat(told).hasSize(YIELDS);
            assertThat(scheduler.stats().listenerFailures()).isEqualTo(YIELDS);
            assertThat(log.text()).contains("onCancel", process.pid().toString(), "from action 4");
        }
    }

    /** Y5: an awaiting process is told of its cancellation as well, although messages do not wake it. */
    @AtWorkers
    void y5_cancellationReachesTheHandlersOfAnAwaitingProcess(int workers) throws Exception {
        try (Scheduler scheduler = start(workers)) {
            ProcessRef process = scheduler.submit(process(true), "main");
            List<ResultReceiver> receivers = takeAll();
            process.cancel("no longer needed");

            Soon.until("cancelled", () -> receivers.stream().allMatch(ResultReceiver::isCancelled));
            assertThat(process.inspect()).as("it may take its time").isPresent();
        }
    }

    @AtWorkers
    void y5_shutdownTellsTheHandlers(int workers) throws Exception {
        try (Scheduler scheduler = start(workers)) {
            scheduler.submit(process(true), "main");
            List<ResultReceiver> receivers = takeAll();
            scheduler.shutdown(Duration.ZERO);

            assertThat(receivers).allMatch(ResultReceiver::isCancelled);
        }
    }

    /** The rest of what a handler is promised; who runs it does not matter here. */
    @Nested
    class GivenOneWorkerRunByHand {
        private final SteppedScheduler stepped = Scheduler.builder()
                .workers(1)
                .handlers(new CommandRegistry().register(Hold.class, held))
                .stepped();

        private ResultReceiver receiverOf(Process process) throws InterruptedException {
            stepped.scheduler().submit(process, "main");
            stepped.runAll();
            return held.take();
        }

        /** Y5, Y1: told to stop, a handler still answers, and the process gets what it says. */
        @Test
        void y5_aHandlerOfACancelledProcessStillAnswers() throws Exception {
            var yielder = new Yielder(out -> out.yield(new Hold(), 1));
            ResultReceiver receiver = receiverOf(yielder);
            var answers = new ArrayList<Boolean>();
            receiver.onCancel(() -> answers.add(receiver.fail(new IOException("stopped"))));
            stepped.scheduler().cancel(receiver.pid(), "enough");
            stepped.runAll();

            assertThat(answers).containsExactly(true);
            assertThat(yielder.completions())
                    .singleElement()
                    .satisfies(completion -> assertThat(completion.error()).hasMessage("stopped"));
            assertThat(stepped.scheduler().stats().lateAnswers()).isZero();
        }

        @Test
        void y5_aLaterActionReplacesTheOneBefore() throws Exception {
            var told = new ArrayList<String>();
            ResultReceiver receiver = receiverOf(new Yielder(out -> out.yield(new Hold(), 1)));
            receiver.onCancel(() -> told.add("first"));
            receiver.onCancel(() -> told.add("second"));
            stepped.scheduler().terminate(receiver.pid());
            stepped.runAll();

            assertThat(told).containsExactly("second");
        }

        /** Y5: cancelled twice, and then ended, is told once. */
        @Test
        void y5_aHandlerIsToldOnce() throws Exception {
            var told = new ArrayList<String>();
            ResultReceiver receiver = receiverOf(new Yielder(out -> out.yield(new Hold(), 1)));
            receiver.onCancel(() -> told.add("told"));
            stepped.scheduler().cancel(receiver.pid(), "once");
            stepped.scheduler().cancel(receiver.pid(), "twice");
            stepped.runAll();
            stepped.scheduler().terminate(receiver.pid());
            stepped.runAll();

            assertThat(told).containsExactly("told");
        }

        /** Y5: a command that is yielded after the cancellation, to tidy up, is not itself cancelled. */
        @Test
        void y5_whatACancelledProcessYieldsToTidyUpIsNotCancelled() throws Exception {
            Process process = Process.of((events, out) -> {
                if (events.isEmpty()) {
                    out.yield(new Hold(), 1);
                } else if (events.get(0) instanceof Signal) {
                    out.yield(new Hold(), 2);
                }
            });
            ResultReceiver work = receiverOf(process);
            stepped.scheduler().cancel(work.pid(), "enough");
            stepped.runAll();
            ResultReceiver tidying = held.take();

            assertThat(tidying.tag()).isEqualTo(2);
            assertThat(work.isCancelled()).isTrue();
            assertThat(tidying.isCancelled()).isFalse();
        }

        /** Y5: the commands of a step that says done are dispatched, and their handlers told at once. */
        @Test
        void y5_commandsOfTheLastStepAreToldToStop() throws Exception {
            ResultReceiver receiver = receiverOf(Process.of((events, out) -> {
                out.yield(new Hold(), 1);
                out.done();
            }));

            assertThat(receiver.isCancelled()).isTrue();
        }
    }
}
