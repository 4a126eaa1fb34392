// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: whether an answer comes before its handler has returned or after, exactly one of the two threads begins the command
 * that waits.
 *
 * <p>Method: one place. Lincheck lets a thread hand in a command, in whose handler a second one is handed in, which waits;
 * another thread answers what it finds. What is not answered by then is answered after them; then both must have been, and
 * the place must be free. The twin looks how far the handler is, and says a moment later that it has answered.
 */
@Tag("model")
class LimitedHandlerModelTest {
    private static final int INVOCATIONS = 300;
    private static final int INVOCATIONS_TWIN = 3_000;
    private static final int INVOCATIONS_DEEP = 50_000;

    private record Work(int number) implements Command {}

    @Test
    void givenAnAnswerWhileTheHandlerReturns_whenModelChecked_thenNoneIsLeft() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> new Production().play());
    }

    @Test
    @Tag("deep")
    void givenAnAnswerWhileTheHandlerReturns_whenModelCheckedAtLength_thenNoneIsLeft() {
        Lincheck.runConcurrentTest(INVOCATIONS_DEEP, () -> new Production().play());
    }

    @Test
    void givenTwinThatLooksBeforeItSays_whenModelChecked_thenFaultFound() {
        assertThatThrownBy(() -> Lincheck.runConcurrentTest(INVOCATIONS_TWIN, () -> new Twin().play()))
                .as("a test that misses a command that nobody begins is no test of the production class")
                .isInstanceOf(LincheckAssertionError.class);
    }

    /** An answer without a future, of which a model would have to try each step. */
    private static final class Heard extends Answer {
        volatile boolean heard;

        @Override
        public boolean completeYield(long tag, @Nullable Object data, @Nullable Throwable error) {
            heard = true;
            return true;
        }
    }

    private abstract static class Subject {
        final CallLimit limit = CallLimit.of(1, 1);
        private final Heard[] answers = {new Heard(), new Heard()};
        private final AtomicReferenceArray<@Nullable ResultReceiver> held = new AtomicReferenceArray<>(2);

        abstract void handIn(int number, Answer answer);

        /** The handler. */
        final void hold(int number, ResultReceiver receiver) {
            if (number == 0) {
                handIn(1, answers[1]);
            }
            held.set(number, receiver);
        }

        final void play() {
            ModelThreads.run(() -> handIn(0, answers[0]), this::answerAll);
            answerAll();
            if (!answers[0].heard || !answers[1].heard || limit.running() + limit.waiting() > 0) {
                throw new AssertionError(
                        "answered: " + answers[0].heard + ", " + answers[1].heard + ", must both be; " + limit);
            }
        }

        private void answerAll() {
            for (int number = 0; number < 2; number++) {
                ResultReceiver receiver = held.getAndSet(number, null);
                if (receiver != null) {
                    receiver.complete(null);
                }
            }
        }
    }

    private static final class Production extends Subject {
        private final LimitedHandler<Work> handler = new LimitedHandler<>(
                Work.class,
                limit,
                (work, receiver) -> hold(work.number(), receiver),
                new Bindings(null, new Listeners(List.of())));

        @Override
        void handIn(int number, Answer answer) {
            handler.handle(new Work(number), answer);
        }
    }

    /** The same, but that an answer is told in two steps. */
    private static final class Twin extends Subject {
        @Override
        void handIn(int number, Answer answer) {
            new Call(number, answer).enter();
        }

        private final class Call extends LimitedCall {
            private final int number;
            private final AtomicReference<String> phase = new AtomicReference<>("begins");
            private @Nullable LimitedCall next;

            Call(int number, Answer answer) {
                super(Work.class, Twin.this.limit, answer);
                this.number = number;
            }

            @Override
            @Nullable
            LimitedCall begin(@Nullable BlockingThreads here) {
                hold(number, new Answer() {
                    @Override
                    public boolean completeYield(long tag, @Nullable Object data, @Nullable Throwable error) {
                        return answer(data);
                    }
                });
                return phase.compareAndSet("begins", "works") ? null : next;
            }

            private boolean answer(@Nullable Object data) {
                next = limit.next();
                boolean counts = receiver.complete(data);
                boolean works = phase.get().equals("works");
                phase.set("answered");
                if (works) {
                    limit.run(next, null);
                }
                return counts;
            }

            @Override
            void stop() {}
        }
    }
}
