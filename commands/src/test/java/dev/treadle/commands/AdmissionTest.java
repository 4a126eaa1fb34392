// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.commands.Admission.Entry;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    @Test
    void soManyRunSoManyWaitAndOneMoreIsRefused() {
        var admission = new Admission<String>(2, 1);

        assertThat(admission.enter("a")).isEqualTo(Entry.RUN);
        assertThat(admission.enter("b")).isEqualTo(Entry.RUN);
        assertThat(admission.enter("c")).isEqualTo(Entry.WAIT);
        assertThat(admission.enter("d")).isEqualTo(Entry.REFUSED);
        assertThat(admission.running()).isEqualTo(2);
        assertThat(admission.waiting()).isEqualTo(1);
    }

    @Test
    void whatWaitsRunsInOrderInTheSameSlot() {
        var admission = new Admission<String>(1, 9);
        admission.enter("a");
        admission.enter("b");
        admission.enter("c");

        assertThat(admission.next()).isEqualTo("b");
        assertThat(admission.next()).isEqualTo("c");
        assertThat(admission.running()).isEqualTo(1);
        assertThat(admission.next()).isNull();
        assertThat(admission.running()).isZero();
        assertThat(admission.enter("d")).isEqualTo(Entry.RUN);
    }

    @Test
    void whatIsWithdrawnLeavesItsPlaceAndIsNotRun() {
        var admission = new Admission<String>(1, 1);
        admission.enter("a");
        admission.enter("b");

        assertThat(admission.withdraw("a")).as("it runs").isFalse();
        assertThat(admission.withdraw("b")).isTrue();
        assertThat(admission.withdraw("b")).isFalse();
        assertThat(admission.enter("c")).isEqualTo(Entry.WAIT);
        assertThat(admission.next()).isEqualTo("c");
    }

    /** Catches a slot that is lost or given twice, and a call that nobody runs. */
    @Test
    void underARaceEachCallRunsOnceAndNeverTooManyAtOnce() throws InterruptedException {
        var admission = new Admission<Integer>(3, 10_000);
        var now = new AtomicInteger();
        var most = new AtomicInteger();
        var ran = new ConcurrentLinkedQueue<Integer>();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        IntStream.range(0, 10_000)
                .forEach(call -> threads.execute(() -> {
                    Integer mine = call;
                    for (Integer next = admission.enter(mine) == Entry.RUN ? mine : null;
                            next != null;
                            next = admission.next()) {
                        most.accumulateAndGet(now.incrementAndGet(), Math::max);
                        ran.add(next);
                        now.decrementAndGet();
                    }
                }));
        threads.shutdown();

        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).hasSize(10_000).doesNotHaveDuplicates();
        assertThat(most.get()).isLessThanOrEqualTo(3);
        assertThat(admission.running()).isZero();
    }
}
