// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** T1: a scheduler without threads. */
class SteppedSchedulerTest {
    @Test
    void aTurnInsideOfATurnIsRefusedAndItsProcessIsNotLost() {
        var refusal = new AtomicReference<Throwable>();
        var ran = new AtomicInteger();
        try (SteppedScheduler stepped = Scheduler.builder().workers(1).stepped()) {
            stepped.scheduler()
                    .submit(
                            Process.of((events, out) -> {
                                try {
                                    stepped.run(0, 0);
                                } catch (IllegalStateException refused) {
                                    refusal.set(refused);
                                }
                                out.done();
                            }),
                            "main");
            stepped.scheduler()
                    .submit(
                            Process.of((events, out) -> {
                                ran.incrementAndGet();
                                out.done();
                            }),
                            "main");
            assertThat(stepped.runOne(0)).isTrue();
            assertThat(refusal.get()).hasMessageContaining("run a turn inside of another");

            stepped.runAll();

            assertThat(ran).hasValue(1);
            assertThat(stepped.scheduler().stats().alive()).isZero();
        }
    }
}
