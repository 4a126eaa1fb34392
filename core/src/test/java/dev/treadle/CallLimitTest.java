// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.treadle.CallLimit.Entry;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who runs, who waits and who is refused. */
class CallLimitTest {
    private record Nothing() implements Command {}

    /** What becomes of a call that is begun. */
    private enum Begun {
        GOES_ON,
        OVER,
        NO_THREAD
    }

    /** Does as it is told, and writes down its number. */
    private static final class Probe extends LimitedCall {
        private final int number;
        private final Begun begun;
        private final List<Integer> ran;

        Probe(CallLimit limit, int number, Begun begun, List<Integer> ran) {
            super(Nothing.class, limit, new Answer());
            this.number = number;
            this.begun = begun;
            this.ran = ran;
        }

        @Override
        @Nullable
        LimitedCall begin(@Nullable BlockingThreads here) {
            ran.add(number);
            return switch (begun) {
                case GOES_ON -> null;
                case OVER -> limit.next();
                case NO_THREAD -> limit.nextWithoutThread();
            };
        }

        @Override
        public void stop() {}
    }

    private final List<Integer> ran = new ArrayList<>();

    private Probe probe(CallLimit limit, int number, Begun begun) {
        return new Probe(limit, number, begun, ran);
    }

    private Probe longOne(CallLimit limit, int number) {
        return probe(limit, number, Begun.GOES_ON);
    }

    @Test
    void soManyRunSoManyWaitAndOneMoreIsRefused() {
        CallLimit limit = CallLimit.of(2, 1);

        assertThat(limit.enter(longOne(limit, 1))).isEqualTo(Entry.RUN);
        assertThat(limit.enter(longOne(limit, 2))).isEqualTo(Entry.RUN);
        assertThat(limit.enter(longOne(limit, 3))).isEqualTo(Entry.WAIT);
        assertThat(limit.enter(longOne(limit, 4))).isEqualTo(Entry.REFUSED);
        assertThat(limit).hasToString("CallLimit[2 of 2 running, 1 of 1 waiting]");
    }

    @Test
    void aSlotIsPassedOnInOrderAndThenGivenBack() {
        CallLimit limit = CallLimit.of(1, 9);
        longOne(limit, 1).enter();
        longOne(limit, 2).enter();
        longOne(limit, 3).enter();

        limit.run(limit.next(), null);
        assertThat(ran).containsExactly(1, 2);
        assertThat(limit.waiting()).isEqualTo(1);
        limit.run(limit.next(), null);
        assertThat(ran).containsExactly(1, 2, 3);
        assertThat(limit.running()).isEqualTo(1);
        limit.run(limit.next(), null);
        assertThat(limit.running()).isZero();
        longOne(limit, 4).enter();
        assertThat(ran).endsWith(4);
    }

    /** Catches a call that is over at once and keeps its slot, or leaves those behind it waiting. */
    @Test
    void afterOneThatIsOverAtOnceTheNextIsBegun() {
        CallLimit limit = CallLimit.of(1, 9);
        longOne(limit, 1).enter();
        probe(limit, 2, Begun.OVER).enter();
        longOne(limit, 3).enter();
        limit.run(limit.next(), null);

        assertThat(ran).containsExactly(1, 2, 3);
        assertThat(limit.running()).isEqualTo(1);
    }

    /** Others that run have a thread, and come by; if there are none, each that waits gets its own chance. */
    @Test
    void whenThereIsNoThreadTheOthersThatRunTakeCareOfWhatWaits() {
        CallLimit limit = CallLimit.of(2, 9);
        longOne(limit, 1).enter();
        longOne(limit, 2).enter();
        probe(limit, 3, Begun.NO_THREAD).enter();
        probe(limit, 4, Begun.NO_THREAD).enter();
        longOne(limit, 5).enter();

        limit.run(limit.next(), null);
        assertThat(ran).as("3 found no thread, 2 still runs").containsExactly(1, 2, 3);
        assertThat(limit.running()).isEqualTo(1);
        limit.run(limit.next(), null);
        assertThat(ran).as("4 found none, and nobody else ran").containsExactly(1, 2, 3, 4, 5);
        assertThat(limit.running()).isEqualTo(1);
    }

    @Test
    void whatIsWithdrawnLeavesItsPlaceAndIsNotRun() {
        CallLimit limit = CallLimit.of(1, 1);
        Probe first = longOne(limit, 1);
        Probe second = longOne(limit, 2);
        first.enter();
        second.enter();

        assertThat(limit.withdraw(first)).as("it runs").isFalse();
        assertThat(limit.withdraw(second)).isTrue();
        assertThat(limit.withdraw(second)).isFalse();
        longOne(limit, 3).enter();
        limit.run(limit.next(), null);
        assertThat(ran).containsExactly(1, 3);
    }

    /** Catches a queue that keeps what was withdrawn, and with it the processes that waited. */
    @Test
    void whatIsWithdrawnIsNotKept() {
        CallLimit limit = CallLimit.of(1, 1_000);
        longOne(limit, 0).enter();
        for (int round = 0; round < 10; round++) {
            var calls = new ArrayList<Probe>();
            for (int i = 1; i <= 1_000; i++) {
                Probe call = longOne(limit, i);
                calls.add(call);
                call.enter();
            }
            assertThat(limit.waiting()).isEqualTo(1_000);
            assertThat(calls).allMatch(limit::withdraw);
        }

        assertThat(limit.waiting()).isZero();
        assertThat(HeapWalk.find(limit, object -> object instanceof Probe)).isEmpty();
    }

    /** While one waits, at most some of those that were withdrawn are kept. */
    @Test
    void whatIsWithdrawnDoesNotPileUpBesideOneThatWaits() {
        CallLimit limit = CallLimit.of(1, 10);
        longOne(limit, 0).enter();
        longOne(limit, 1).enter();
        var calls = new ArrayList<WeakReference<Probe>>();
        for (int i = 0; i < 10_000; i++) {
            Probe call = longOne(limit, i);
            call.enter();
            assertThat(limit.withdraw(call)).isTrue();
            calls.add(new WeakReference<>(call));
        }

        Soon.until(() -> {
            System.gc();
            return calls.stream().filter(call -> !call.refersTo(null)).count() < 100;
        });
        limit.run(limit.next(), null);
        assertThat(ran).as("the one that waited").containsExactly(0, 1);
    }

    /** Catches a slot that is lost or given twice, and a call that nobody runs. */
    @Test
    void underARaceEachCallRunsOnceAndNeverTooManyAtOnce() throws InterruptedException {
        CallLimit limit = CallLimit.of(3, 10_000);
        var now = new AtomicInteger();
        var most = new AtomicInteger();
        var all = new ConcurrentLinkedQueue<Integer>();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        for (int i = 0; i < 10_000; i++) {
            int number = i;
            LimitedCall call = new LimitedCall(Nothing.class, limit, new Answer()) {
                @Override
                @Nullable
                LimitedCall begin(@Nullable BlockingThreads here) {
                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                    all.add(number);
                    now.decrementAndGet();
                    return limit.next();
                }

                @Override
                public void stop() {}
            };
            threads.execute(call::enter);
        }
        threads.shutdown();

        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(all).hasSize(10_000).doesNotHaveDuplicates();
        assertThat(most.get()).isLessThanOrEqualTo(3);
        assertThat(limit.running()).isZero();
    }

    /** Catches a call that waits beside a free slot, is begun and withdrawn, or neither; and counts that do not come back. */
    @Test
    void underARaceEachCallIsBegunOrWithdrawnOnce() throws InterruptedException {
        CallLimit limit = CallLimit.of(2, 10_000);
        var begun = new AtomicInteger();
        var withdrawn = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        ExecutorService slots = Executors.newFixedThreadPool(2);
        for (int i = 0; i < 20_000; i++) {
            LimitedCall call = new LimitedCall(Nothing.class, limit, new Answer()) {
                @Override
                @Nullable
                LimitedCall begin(@Nullable BlockingThreads here) {
                    begun.incrementAndGet();
                    slots.execute(() -> limit.run(limit.next(), null));
                    return null;
                }

                @Override
                public void stop() {}
            };
            boolean withdraws = i % 2 == 0;
            threads.execute(() -> {
                call.enter();
                if (withdraws && limit.withdraw(call)) {
                    withdrawn.incrementAndGet();
                }
            });
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        Soon.until(() -> limit.running() == 0);
        slots.shutdown();

        assertThat(begun.get() + withdrawn.get()).isEqualTo(20_000);
        assertThat(limit.waiting()).isZero();
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CallLimit.of(0, 1))
                .withMessageContainingAll("runningMax was 0", "at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CallLimit.of(1, -1))
                .withMessageContainingAll("waitingMax was -1", "use 0 for none");
        assertThat(CallLimit.of(1, 0).waitingMax()).isZero();
    }
}
