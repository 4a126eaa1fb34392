// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Command;
import dev.treadle.CommandRegistry;
import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessRef;
import dev.treadle.ResultReceiver;
import dev.treadle.Scheduler;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link Yields}: to wait for all, for any, for some. */
class YieldsTest {
    private record Quote(int shop) implements Command {}

    private final List<ResultReceiver> receivers = new ArrayList<>();

    /** Asks five shops, and is done when so many have answered. */
    private static final class Buyer implements Process {
        private final Yields quotes = new Yields(100);
        private final int wanted;

        Buyer(int wanted) {
            this.wanted = wanted;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            if (events.isEmpty()) {
                for (int shop = 0; shop < 5; shop++) {
                    assertThat(quotes.start(out, new Quote(shop), Duration.ofMinutes(1)))
                            .isEqualTo(100 + shop);
                }
            }
            for (Event event : events) {
                assertThat(quotes.accept(event)).isTrue();
                assertThat(quotes.accept(event)).as("once only").isFalse();
            }
            if (quotes.completed() >= wanted) {
                out.done(quotes + " "
                        + quotes.completions().stream().map(Completion::data).toList());
            } else if (!events.isEmpty()) {
                out.await();
            }
        }
    }

    private String resultAfter(Buyer buyer, int... shops) {
        var registry = new CommandRegistry().register(Quote.class, (quote, receiver) -> receivers.add(receiver));
        try (var stepped = Scheduler.builder().handlers(registry).stepped()) {
            ProcessRef ref = stepped.scheduler().submit(buyer, "main");
            stepped.runAll();
            for (int shop : shops) {
                receivers.get(shop).complete("shop " + shop);
                stepped.runAll();
            }
            return (String) ref.result().getNow("waits: " + buyer.quotes);
        }
    }

    @Test
    void forAny() {
        assertThat(resultAfter(new Buyer(1), 3)).isEqualTo("Yields[4 in flight, 1 back] [shop 3]");
    }

    @Test
    void forTwoOfFive() {
        assertThat(resultAfter(new Buyer(2), 4)).isEqualTo("waits: Yields[4 in flight, 1 back]");
        receivers.clear();
        assertThat(resultAfter(new Buyer(2), 4, 1)).isEqualTo("Yields[3 in flight, 2 back] [shop 1, shop 4]");
    }

    @Test
    void forAll() {
        assertThat(resultAfter(new Buyer(5), 4, 1, 0, 2)).isEqualTo("waits: Yields[1 in flight, 4 back]");
        receivers.clear();
        assertThat(resultAfter(new Buyer(5), 4, 1, 0, 2, 3))
                .isEqualTo("Yields[0 in flight, 5 back] [shop 0, shop 1, shop 2, shop 3, shop 4]");
    }

    @Test
    void whatIsNotItsOwnIsNotTaken() {
        var yields = new Yields();
        assertThat(yields.accept(Completion.of(1, "stray", null))).isFalse();
        assertThat(yields.accept(Signal.of(Signal.Kind.CANCEL, "please", null))).isFalse();
        assertThat(yields.isAllDone()).isTrue();
        assertThat(yields.completion(1)).isEmpty();
    }

    @Test
    void aNewRoundForgetsWhatIsBackAndKeepsTheRest() {
        var yields = new Yields();
        var registry = new CommandRegistry().register(Quote.class, (quote, receiver) -> {
            if (quote.shop() == 1) {
                receiver.complete("back");
            }
        });
        try (var stepped = Scheduler.builder().handlers(registry).stepped()) {
            stepped.scheduler()
                    .submit(
                            Process.of((events, out) -> {
                                if (events.isEmpty()) {
                                    yields.start(out, new Quote(1));
                                    yields.start(out, new Quote(2));
                                }
                                events.forEach(yields::accept);
                            }),
                            "main");
            stepped.runAll();
        }
        assertThat(yields.completion(1).orElseThrow().data()).isEqualTo("back");
        yields.forgetCompleted();
        assertThat(yields.completed()).isZero();
        assertThat(yields.inFlight()).isEqualTo(1);
        assertThat(yields.completion(1)).isEmpty();
    }
}
