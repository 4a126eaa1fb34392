// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: no call waits beside a free slot, each is begun once or withdrawn, and all slots are given back.
 *
 * <p>Method: Lincheck lets two threads enter a call each where there is one slot, while a third one withdraws the second
 * call. At the end none may be left. The twin leaves out the look for a free slot after a call was put in the queue; with
 * that look it passes.
 */
@Tag("model")
class CallLimitModelTest {
    private static final int INVOCATIONS = 150;
    private static final int INVOCATIONS_TWIN = 2_000;
    private static final int INVOCATIONS_DEEP = 50_000;

    @Test
    void givenTwoCallsForOneSlot_whenModelChecked_thenNoneIsLeft() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> play(Production::new));
    }

    @Test
    @Tag("deep")
    void givenTwoCallsForOneSlot_whenModelCheckedAtLength_thenNoneIsLeft() {
        Lincheck.runConcurrentTest(INVOCATIONS_DEEP, () -> play(Production::new));
    }

    @Test
    void givenTwinWithoutFault_whenModelChecked_thenNoneIsLeft() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> play(() -> new Twin(true)));
    }

    @Test
    void givenTwinThatDoesNotLookAgain_whenModelChecked_thenFaultFound() {
        assertThatThrownBy(() -> Lincheck.runConcurrentTest(INVOCATIONS_TWIN, () -> play(() -> new Twin(false))))
                .as("a test that misses a call that waits for ever is no test of the production class")
                .isInstanceOf(LincheckAssertionError.class);
    }

    private static void play(Supplier<Subject> maker) {
        Subject limit = maker.get();
        ModelThreads.run(() -> limit.enter(0), () -> limit.enter(1), () -> limit.withdraw(1));
        if (limit.settled.get() != 2 || limit.running() != 0) {
            throw new AssertionError(
                    limit.settled + " of 2 begun or withdrawn, " + limit.running() + " slots taken, must be none");
        }
    }

    /** A limit of one slot and room for two that wait, with two calls that are over as soon as they are begun. */
    private abstract static class Subject {
        /** How many calls were begun or withdrawn. */
        final AtomicInteger settled = new AtomicInteger();

        abstract void enter(int call);

        abstract void withdraw(int call);

        abstract int running();
    }

    private static final class Production extends Subject {
        private final CallLimit limit = CallLimit.of(1, 2);
        private final LimitedCall[] calls = {new Call(limit), new Call(limit)};

        @Override
        void enter(int call) {
            if (limit.enter(calls[call]) == CallLimit.Entry.RUN) {
                limit.run(calls[call], null);
            }
        }

        @Override
        void withdraw(int call) {
            if (limit.withdraw(calls[call])) {
                settled.incrementAndGet();
            }
        }

        @Override
        int running() {
            return limit.running() + limit.waiting();
        }

        private final class Call extends LimitedCall {
            Call(CallLimit limit) {
                super(Void.class, limit, new Answer());
            }

            @Override
            @Nullable
            LimitedCall begin(@Nullable BlockingThreads here) {
                settled.incrementAndGet();
                return limit.next();
            }

            @Override
            void stop() {}
        }
    }

    /** The same rule in small. */
    private static final class Twin extends Subject {
        private final boolean looksAgain;
        private final AtomicInteger running = new AtomicInteger();
        private final ConcurrentLinkedQueue<AtomicInteger> queue = new ConcurrentLinkedQueue<>();
        private final AtomicInteger[] waiting = {new AtomicInteger(), new AtomicInteger()};

        Twin(boolean looksAgain) {
            this.looksAgain = looksAgain;
        }

        @Override
        void enter(int call) {
            if (queue.isEmpty() && running.compareAndSet(0, 1)) {
                settled.incrementAndGet();
                runThoseThatWait();
                return;
            }
            waiting[call].set(1);
            queue.add(waiting[call]);
            if (looksAgain && running.compareAndSet(0, 1)) {
                runThoseThatWait();
            }
        }

        /** Whoever has the slot. */
        private void runThoseThatWait() {
            do {
                for (AtomicInteger next = queue.poll(); next != null; next = queue.poll()) {
                    if (next.compareAndSet(1, 0)) {
                        settled.incrementAndGet();
                    }
                }
                running.set(0);
            } while (!queue.isEmpty() && running.compareAndSet(0, 1));
        }

        @Override
        void withdraw(int call) {
            if (waiting[call].compareAndSet(1, 0)) {
                settled.incrementAndGet();
            }
        }

        @Override
        int running() {
            return running.get();
        }
    }
}
