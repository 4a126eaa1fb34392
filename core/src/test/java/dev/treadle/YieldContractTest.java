// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Every yield gets exactly one completion (Y1), in order (Y2), whenever and from wherever it is answered (Y3); a
 * handler that throws fails its own yield (Y6).
 */
class YieldContractTest {
    private final Hold.Held held = new Hold.Held();

    private record Refused(Throwable error) implements Command {}

    private record Unregistered() implements Command {}

    private record Twice() implements Command {}

    private Scheduler start(int workers) {
        return start(workers, new CommandRegistry());
    }

    private Scheduler start(int workers, CommandRegistry registry) {
        return Scheduler.builder()
                .workers(workers)
                .shutdownTimeout(Duration.ZERO)
                .handlers(registry.register(Hold.class, held)
                        .register(Echo.class, Echo.HANDLER)
                        .register(Refused.class, (command, receiver) -> receiver.fail(command.error()))
                        .register(Twice.class, (command, receiver) -> {
                            receiver.complete("first");
                            receiver.complete("second");
                        }))
                .start();
    }

    @AtWorkers
    void y1_eachYieldIsCompletedOnceWithItsOwnTag(int workers) {
        List<Long> tags = List.of(0L, -1L, 1L, Long.MIN_VALUE, Long.MAX_VALUE, 7L, 7L, 7L, 1L << 32);
        var yielder = new Yielder(out -> tags.forEach(tag -> out.yield(new Echo("of " + tag), tag)));
        try (Scheduler scheduler = start(workers)) {
            List<Completion> completions = yielder.finish(scheduler.submit(yielder, "main"), tags.size());

            assertThat(completions).extracting(Completion::tag).containsExactlyElementsOf(tags);
            assertThat(completions)
                    .extracting(Completion::data)
                    .containsExactlyElementsOf(
                            tags.stream().map(tag -> (Object) ("of " + tag)).toList());
            assertThat(completions).noneMatch(Completion::isFailed);
            assertThat(scheduler.stats().lateAnswers()).isZero();
        }
    }

    /** Y1: the result is handed over as it is; null is a result like any other. */
    @AtWorkers
    void y1_theResultIsUnchanged(int workers) {
        Object result = new Object();
        var yielder = new Yielder(out -> {
            out.yield(new Echo(result), 1);
            out.yield(new Echo(null), 2);
        });
        try (Scheduler scheduler = start(workers)) {
            List<Completion> completions = yielder.finish(scheduler.submit(yielder, "main"), 2);

            assertThat(completions.get(0).data()).isSameAs(result);
            assertThat(completions.get(1).data()).isNull();
            assertThat(completions.get(1).isFailed()).as("null is no failure").isFalse();
        }
    }

    @AtWorkers
    void y1_theErrorOfTheHandlerIsUnchanged(int workers) {
        var error = new IOException("disk full");
        var yielder = new Yielder(out -> out.yield(new Refused(error), 3));
        try (Scheduler scheduler = start(workers)) {
            Completion completion =
                    yielder.finish(scheduler.submit(yielder, "main"), 1).get(0);

            assertThat(completion.error()).isSameAs(error);
            assertThat(completion.isFailed()).isTrue();
            assertThat(completion.data()).isNull();
            assertThatThrownBy(() -> completion.data(String.class))
                    .isInstanceOf(IllegalStateException.class)
                    .hasCause(error)
                    .hasMessageContainingAll("tag 3", "error()");
        }
    }

    @AtWorkers
    void y1_anUnknownCommandFailsByName(int workers) {
        var yielder = new Yielder(out -> out.yield(new Unregistered(), 4));
        try (Scheduler scheduler = start(workers)) {
            List<Completion> completions = yielder.finish(scheduler.submit(yielder, "main"), 1);

            assertThat(completions).hasSize(1);
            assertThat(completions.get(0).tag()).isEqualTo(4);
            assertThat(completions.get(0).error())
                    .isInstanceOf(UnknownCommandException.class)
                    .hasMessageContainingAll(Unregistered.class.getTypeName(), "register one");
        }
    }

    @AtWorkers
    void y1_aSecondAnswerIsIgnoredAndCounted(int workers) throws Exception {
        var yielder = new Yielder(out -> {
            out.yield(new Twice(), 1);
            out.yield(new Hold(), 2);
        });
        try (Scheduler scheduler = start(workers)) {
            ProcessRef process = scheduler.submit(yielder, "main");
            ResultReceiver receiver = held.take();

            assertThat(receiver.complete("first")).isTrue();
            assertThat(receiver.complete("second")).isFalse();
            assertThat(receiver.fail(new IOException("third"))).isFalse();
            assertThat(receiver.completeYield(2, null, null)).isFalse();
            List<Completion> completions = yielder.finish(process, 2);

            assertThat(completions).extracting(Completion::data).containsExactly("first", "first");
            assertThat(scheduler.stats().lateAnswers()).isEqualTo(4);
        }
    }

    /** Y1: an answer that makes no sense is refused, and the yield can still be answered. */
    @AtWorkers
    void y1_anAnswerWithTheWrongTagOrWithTwoOutcomesIsRefused(int workers) throws Exception {
        var yielder = new Yielder(out -> out.yield(new Hold(), 5));
        try (Scheduler scheduler = start(workers)) {
            ProcessRef process = scheduler.submit(yielder, "main");
            ResultReceiver receiver = held.take();

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> receiver.completeYield(6, "data", null))
                    .withMessageContainingAll("6", "5", "tag()");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> receiver.completeYield(5, "data", new IOException("and an error")))
                    .withMessageContainingAll("both", "data", "null");
            assertThat(receiver.completeYield(5, "right", null)).isTrue();

            assertThat(yielder.finish(process, 1)).extracting(Completion::data).containsExactly("right");
            assertThat(scheduler.stats().lateAnswers()).isZero();
        }
    }

    /** Y1: a step may yield as many commands as the limit says, and each is completed; one more is refused by name. */
    @Test
    void y1_theMostYieldsOfOneStepAreAllCompleted() {
        var refusals = new CopyOnWriteArrayList<Exception>();
        var yielder = new Yielder(out -> {
            for (long tag = 0; tag < StepOutput.YIELDS_MAX; tag++) {
                out.yield(new Echo(tag), tag);
            }
            try {
                out.yield(new Echo("one too many"), -1);
            } catch (IllegalStateException e) {
                refusals.add(e);
            }
        });
        try (Scheduler scheduler = start(2)) {
            yielder.finish(scheduler.submit(yielder, "main"), StepOutput.YIELDS_MAX);

            assertThat(yielder.tags())
                    .isEqualTo(
                            LongStream.range(0, StepOutput.YIELDS_MAX).boxed().toList());
            assertThat(refusals)
                    .singleElement()
                    .satisfies(refusal -> assertThat(refusal).hasMessageContainingAll("65536", "later step"));
        }
    }

    @AtWorkers
    void y2_commandsOfAStepAreDispatchedInOrder(int workers) {
        var dispatched = new CopyOnWriteArrayList<Long>();
        record Left() implements Command {}
        record Right() implements Command {}
        var registry = new CommandRegistry()
                .register(Left.class, (command, receiver) -> dispatched.add(receiver.tag()))
                .register(Right.class, (command, receiver) -> {
                    dispatched.add(receiver.tag());
                    receiver.complete(null);
                });
        var yielder = new Yielder(out -> {
            for (long tag = 0; tag < 300; tag++) {
                out.yield(tag % 3 == 0 ? new Left() : new Right(), tag);
            }
        });
        try (Scheduler scheduler = start(workers, registry)) {
            scheduler.submit(yielder, "main");
            Soon.until("all dispatched", () -> dispatched.size() == 300);

            assertThat(dispatched)
                    .containsExactlyElementsOf(LongStream.range(0, 300).boxed().toList());
        }
    }

    /** Y2: whoever answers, one after the other, more than one step can hold. */
    @AtWorkers
    void y2_completionsComeInTheOrderOfTheAnswers(int workers) throws Exception {
        int yields = 300;
        var yielder = new Yielder(out -> IntStream.range(0, yields).forEach(tag -> out.yield(new Hold(), tag)));
        List<ExecutorService> threads = List.of(
                Executors.newSingleThreadExecutor(),
                Executors.newSingleThreadExecutor(),
                Executors.newSingleThreadExecutor());
        try (Scheduler scheduler = start(workers)) {
            ProcessRef process = scheduler.submit(yielder, "main");
            var receivers = new ArrayList<ResultReceiver>();
            for (int i = 0; i < yields; i++) {
                receivers.add(held.take());
            }
            Collections.shuffle(receivers, new Random(workers));
            for (int i = 0; i < yields; i++) {
                ResultReceiver receiver = receivers.get(i);
                Soon.get(threads.get(i % threads.size()).submit(() -> receiver.complete(null)));
            }
            yielder.finish(process, yields);

            assertThat(yielder.tags())
                    .containsExactlyElementsOf(
                            receivers.stream().map(ResultReceiver::tag).toList());
        } finally {
            threads.forEach(ExecutorService::shutdown);
        }
    }

    /** Y2: among messages too, a completion has the place of its answer. */
    @Test
    void y2_completionsAndMessagesComeAsTheyWereSent() throws Exception {
        var seen = new ArrayList<String>();
        Process process = Process.of((events, out) -> {
            if (events.isEmpty()) {
                out.yield(new Hold(), 1);
                out.yield(new Hold(), 2);
                out.idle();
            }
            events.forEach(event -> seen.add(event instanceof Message m ? m.topic() : ((Completion) event).tag() + ""));
        });
        var registry = new CommandRegistry().register(Hold.class, held);
        try (SteppedScheduler stepped =
                Scheduler.builder().workers(1).handlers(registry).stepped()) {
            ProcessRef ref = stepped.scheduler().submit(process, "main");
            stepped.runAll();
            ResultReceiver one = held.take();
            ResultReceiver two = held.take();
            ref.send("a", null);
            two.complete(null);
            ref.send("b", null);
            one.complete(null);
            ref.send("c", null);
            stepped.runAll();

            assertThat(seen).containsExactly("a", "2", "b", "1", "c");
        }
    }

    /** Y3: on the spot, by another thread, by the step of another process, by a worker of another scheduler. */
    @AtWorkers
    void y3_anyThreadMayAnswerAtAnyTime(int workers) throws Exception {
        var yielder = new Yielder(out -> {
            out.yield(new Echo("spot"), 0);
            out.yield(new Hold(), 1);
            out.yield(new Hold(), 2);
            out.yield(new Hold(), 3);
        });
        try (Scheduler scheduler = start(workers);
                Scheduler other = Scheduler.builder().name("other").workers(1).start()) {
            ProcessRef process = scheduler.submit(yielder, "main");
            ResultReceiver first = held.take();
            ResultReceiver second = held.take();
            ResultReceiver third = held.take();
            Soon.until(
                    "blocked or idle",
                    () -> process.inspect()
                            .filter(info -> info.state() == ProcessInfo.State.IDLE)
                            .isPresent());
            first.complete("thread");
            scheduler.submit(Process.of((events, out) -> out.done(second.complete("process"))), "main");
            other.submit(Process.of((events, out) -> out.done(third.complete("scheduler"))), "main");

            assertThat(yielder.finish(process, 4))
                    .extracting(Completion::data)
                    .containsExactlyInAnyOrder("spot", "thread", "process", "scheduler");
        }
    }

    /** Y3: a process that awaits is woken by the answer, be it given before the wait begins or long after. */
    @AtWorkers
    void y3_anAnswerDuringTheStepWakesTheProcessThatThenWaits(int workers) {
        int rounds = 2_000;
        var answers = Executors.newSingleThreadExecutor();
        record Soonish() implements Command {}
        var registry = new CommandRegistry()
                .register(Soonish.class, (command, receiver) -> answers.execute(() -> receiver.complete(null)));
        Process process = new Process() {
            private int left = rounds;

            @Override
            public void init(ProcessContext context, String method, Payloads input) {}

            @Override
            public void step(Events events, StepOutput out) {
                if (left-- == 0) {
                    out.done("all");
                } else {
                    out.yield(new Soonish(), left);
                    out.await();
                }
            }
        };
        try (Scheduler scheduler = start(workers, registry)) {
            assertThat(Soon.get(scheduler.submit(process, "main").result())).isEqualTo("all");
        } finally {
            answers.shutdown();
        }
    }

    /** Y6: the other commands of the step are handled, each completion has its place. */
    @AtWorkers
    void y6_aHandlerThatThrowsFailsItsOwnYieldAlone(int workers) {
        record Broken() implements Command {}
        var error = new StackOverflowError("deep");
        var registry = new CommandRegistry().register(Broken.class, (command, receiver) -> {
            throw error;
        });
        var yielder = new Yielder(out -> {
            out.yield(new Broken(), 1);
            out.yield(new Echo("fine"), 2);
            out.yield(new Broken(), 3);
            out.yield(new Echo("fine"), 4);
        });
        try (Scheduler scheduler = start(workers, registry)) {
            List<Completion> completions = yielder.finish(scheduler.submit(yielder, "main"), 4);

            assertThat(completions).extracting(Completion::tag).containsExactly(1L, 2L, 3L, 4L);
            assertThat(completions).extracting(Completion::error).containsExactly(error, null, error, null);
            assertThat(scheduler.stats().lateAnswers()).isZero();
        }
    }

    /** Y6, Y1: what a handler throws after its answer is too late, and counted like a second answer. */
    @AtWorkers
    void y6_aHandlerThatThrowsAfterItsAnswerHasAnswered(int workers) {
        record Hasty() implements Command {}
        var registry = new CommandRegistry().register(Hasty.class, (command, receiver) -> {
            receiver.complete("answer");
            throw new IOException("and then this");
        });
        var yielder = new Yielder(out -> out.yield(new Hasty(), 1));
        try (Scheduler scheduler = start(workers, registry)) {
            List<Completion> completions = yielder.finish(scheduler.submit(yielder, "main"), 1);

            assertThat(completions).extracting(Completion::data).containsExactly("answer");
            assertThat(scheduler.stats().lateAnswers()).isEqualTo(1);
        }
    }
}
