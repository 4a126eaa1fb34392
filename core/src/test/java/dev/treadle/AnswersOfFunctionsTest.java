// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The contract of answers on the spot, for functions whose result is the answer; and what is theirs alone (Y6, Y7). Catches:
 * an answer that a worker made by itself and that is treated as another.
 */
class AnswersOfFunctionsTest extends AnswersAtHandContract {
    private record Fail(Throwable error) implements Command {}

    @Override
    CommandRegistry registry() {
        return new CommandRegistry()
                .registerFunction(Echo.class, Echo::value)
                .registerFunction(Then.class, then -> {
                    then.first().run();
                    return null;
                })
                .registerFunction(Fail.class, fail -> {
                    if (fail.error() instanceof Error error) {
                        throw error;
                    }
                    throw (Exception) fail.error();
                });
    }

    /** Y6: whatever a function throws fails its own yield, with that as its error, and nothing else. */
    @AtWorkers
    void y6_aFunctionThatThrowsFailsItsOwnYieldAlone(int workers) {
        var checked = new Exception("checked");
        var error = new AssertionError("error");
        var got = new ArrayList<Object>();
        try (Scheduler scheduler = start(workers)) {
            ProcessRef ref = scheduler.submit(
                    Process.of((events, out) -> {
                        events.forEach(event -> {
                            var completion = (Completion) event;
                            got.add(completion.isFailed() ? completion.error() : completion.data());
                        });
                        switch (got.size()) {
                            case 0 -> out.yield(new Fail(checked), 0);
                            case 1 -> out.yield(new Fail(error), 1); // in a row of single commands
                            case 2 -> {
                                out.yield(new Echo("a"), 2);
                                out.yield(new Fail(checked), 3);
                            }
                            default -> out.done();
                        }
                    }),
                    "main");
            assertThat(ref.result()).succeedsWithin(Soon.LIMIT);
        }
        assertThat(got).containsExactly(checked, error, "a", checked);
    }

    /** Y1: null is an answer. */
    @AtWorkers
    void y1_aFunctionMayReturnNull(int workers) {
        try (Scheduler scheduler = start(workers)) {
            var answers = new AtomicInteger();
            ProcessRef ref = scheduler.submit(
                    Process.of((events, out) -> {
                        for (Event event : events) {
                            assertThat(((Completion) event).data()).isNull();
                            assertThat(((Completion) event).isFailed()).isFalse();
                        }
                        if (answers.addAndGet(events.size()) == 3) {
                            out.done(answers.get());
                        } else {
                            out.yield(new Then(() -> {}), 1);
                        }
                    }),
                    "main");
            assertThat(ref.result()).succeedsWithin(Soon.LIMIT).isEqualTo(3);
        }
    }

    /** M1, P3: what a function sends to its own process comes after the answers before it, in a row of turns too. */
    @AtWorkers
    void m1_aMessageThatComesInTheMiddleOfARowIsNotLate(int workers) {
        var got = new ArrayList<String>();
        try (Scheduler scheduler = start(workers)) {
            ProcessRef ref = scheduler.submit(
                    new TrackedProcess((events, out) -> {
                        for (Event event : events) {
                            if (event instanceof Message message) {
                                got.add(message.topic());
                                if (message.payload() instanceof Pid self) {
                                    out.yield(new Echo(self), 1);
                                }
                            } else if (event instanceof Completion completion) {
                                got.add("C" + completion.tag());
                                long next = completion.tag() + 1;
                                if (next == 4 && completion.data() instanceof Pid self) {
                                    out.yield(new Then(() -> scheduler.send(self, "between", null)), next);
                                } else if (completion.data() instanceof Pid self) {
                                    out.yield(new Echo(self), next);
                                }
                            }
                        }
                        if (got.size() == 6) {
                            out.done();
                        }
                    }),
                    "main");
            ref.send("go", ref.pid());

            assertThat(ref.result()).succeedsWithin(Soon.LIMIT);
        }
        assertThat(got).containsExactly("go", "C1", "C2", "C3", "between", "C4");
    }

    /** Attributes that others bring into use in the middle of a row change nothing for this process. */
    @AtWorkers
    void attributesOfOthersThatComeIntoUseInTheMiddleOfARowChangeNothing(int workers) {
        var got = new ArrayList<Object>();
        try (Scheduler scheduler = start(workers)) {
            Process sleeper = Process.of((events, out) -> {});
            ProcessRef ref = scheduler.submit(
                    Process.of((events, out) -> {
                        events.forEach(event -> got.add(((Completion) event).attributes()));
                        if (got.size() == 3) {
                            scheduler.submit(Submission.of(sleeper, "main").attribute("trace", "7"));
                        }
                        if (got.size() == 6) {
                            out.done();
                        } else {
                            out.yield(new Echo("x"), 1);
                        }
                    }),
                    "main");
            assertThat(ref.result()).succeedsWithin(Soon.LIMIT);
        }
        assertThat(got).hasSize(6).allMatch(Map.of()::equals);
    }

    /** Y7: a gate stands before functions as before all else. */
    @AtWorkers
    void y7_aGateRefusesWhatAFunctionWouldAnswer(int workers) {
        var refusal = new IllegalStateException("not today");
        try (Scheduler scheduler = Scheduler.builder()
                .workers(workers)
                .handlers(registry())
                .gate((command, receiver) -> refusal)
                .start()) {
            ProcessRef ref = scheduler.submit(
                    Process.of((events, out) -> {
                        if (events.isEmpty()) {
                            out.yield(new Echo("x"), 1);
                        } else {
                            out.done(((Completion) events.get(0)).error());
                        }
                    }),
                    "main");
            assertThat(ref.result()).succeedsWithin(Soon.LIMIT).isSameAs(refusal);
        }
    }
}
