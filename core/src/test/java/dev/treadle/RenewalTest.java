// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker renews what it stores references in, every 16,384 turns. Nobody else notices. */
class RenewalTest {
    private static final int TURNS = 100_000;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void givenManyTurns_thenStepsAreGivenYoungObjectsNowAndThen(int workers) throws Exception {
        Set<StepOutput> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
            ProcessRef ref = scheduler.submit(
                    Process.of(new StepFunction() {
                        private int turns;

                        @Override
                        public void step(Events events, StepOutput out) {
                            seen.add(out);
                            if (++turns < TURNS) {
                                out.again();
                            } else {
                                out.done(turns);
                            }
                        }
                    }),
                    "main");

            assertThat(ref.result().get(60, SECONDS)).isEqualTo(TURNS);
            // Other workers take part in the turns, and renew by their own count.
            assertThat(seen).hasSizeBetween(2, TURNS / 10_000 + workers);
            assertThat(seen)
                    .allSatisfy(out -> assertThatThrownBy(out::again).isInstanceOf(IllegalStateException.class));
            assertThat(scheduler.stats().total().steps()).isEqualTo(TURNS);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void givenProcessesThatWakeEachOther_thenNoMessageIsLostOrDoubled(int workers) throws Exception {
        try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
            List<ProcessRef> pairs = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                ProcessRef other = scheduler.submit(new Returner(), "main");
                ProcessRef server = scheduler.submit(new Server(other.pid()), "main");
                server.send("ball", 0);
                pairs.add(server);
            }

            for (ProcessRef server : pairs) {
                assertThat(server.result().get(60, SECONDS)).isEqualTo(TURNS);
            }
        }
    }

    @Test
    void givenAStepOutputOfOld_thenItsWorkerKeepsItNoLonger() throws Exception {
        var first = new AtomicReference<@Nullable WeakReference<StepOutput>>();
        try (Scheduler scheduler = Scheduler.builder().workers(1).start()) {
            ProcessRef ref = scheduler.submit(
                    Process.of(new StepFunction() {
                        private int turns;

                        @Override
                        public void step(Events events, StepOutput out) {
                            WeakReference<StepOutput> old = first.get();
                            if (old == null) {
                                first.set(new WeakReference<>(out));
                            } else if (++turns % TURNS == 0) {
                                System.gc();
                            }
                            if (old != null && old.refersTo(null)) {
                                out.done("gone");
                            } else {
                                out.again();
                            }
                        }
                    }),
                    "main");

            assertThat(ref.result().get(60, SECONDS)).isEqualTo("gone");
        }
    }

    private static final class Server implements Process {
        private final Pid other;
        private ProcessContext context;

        Server(Pid other) {
            this.other = other;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message) {
                    int hops = message.payload(Integer.class);
                    if (hops == TURNS) {
                        out.done(hops);
                    } else {
                        context.send(other, "ball", hops + 1);
                    }
                }
            }
        }
    }

    private static final class Returner implements Process {
        private ProcessContext context;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message) {
                    context.send(message.sender(), "ball", message.payload(Integer.class) + 1);
                } else {
                    out.done();
                }
            }
        }
    }
}
