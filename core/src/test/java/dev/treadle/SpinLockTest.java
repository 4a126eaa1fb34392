// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The lock of the table's stripes, where threads are real: {@link SpinLockModelTest} has the orders. */
class SpinLockTest {
    private static final int ROUNDS = 100_000;

    private final SpinLock lock = new SpinLock();

    /** Plain: only the lock makes one thread see what the other counted. */
    private int count;

    @Test
    void whenTwoThreadsCountUnderIt_thenNoneIsMissing() throws InterruptedException {
        Runnable counter = () -> {
            for (int i = 0; i < ROUNDS; i++) {
                lock.lock();
                count++;
                lock.unlock();
            }
        };
        var other = new Thread(counter);
        other.start();
        counter.run();
        assertThat(Threads.join(other, Duration.ofMinutes(1))).isTrue();
        assertThat(count).isEqualTo(2 * ROUNDS);
    }

    @Test
    void whenHeldForLong_thenOthersYieldAndGetItInTheEnd() throws InterruptedException {
        var waits = new CountDownLatch(1);
        var got = new CountDownLatch(1);
        lock.lock();
        var other = new Thread(() -> {
            waits.countDown();
            lock.lock();
            got.countDown();
            lock.unlock();
        });
        other.start();
        waits.await();
        assertThat(got.await(50, TimeUnit.MILLISECONDS))
                .as("got it beside its holder")
                .isFalse();
        lock.unlock();
        assertThat(got.await(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void whenTheActionThrows_thenItIsFreeAgain() {
        assertThatThrownBy(() -> lock.locked(() -> {
                    throw new IllegalStateException("on purpose");
                }))
                .hasMessage("on purpose");
        assertThat(lock.locked(() -> "free")).isEqualTo("free");
    }

    /** Each frame tries what the one below it had no room for: some begin under the lock and cannot go on. */
    @Test
    void whenTheStackOverflowsInTheTable_thenNoLockIsLeftHeld() throws InterruptedException {
        Scheduler scheduler = Scheduler.builder().workers(1).stepped().scheduler();
        var table = new ProcessTable(0);
        var digger = new Thread(() -> {
            for (int round = 0; round < 300; round++) {
                var cell = new ProcessCell(scheduler, round, Submission.of(ProbeProcess.deaf(), "main"), null, 0);
                try {
                    dig(table, cell);
                } catch (StackOverflowError e) {
                    // what is left in the table is not looked at here, only whether it can be
                }
            }
        });
        digger.start();
        assertThat(Threads.join(digger, Duration.ofSeconds(30)))
                .as("waits for a lock that nobody holds")
                .isTrue();
        for (int part = 0; part < table.parts(); part++) {
            assertThat(table.part(part)).isNotNull();
        }
    }

    @SuppressWarnings("InfiniteRecursion")
    private static void dig(ProcessTable table, ProcessCell cell) {
        try {
            dig(table, cell);
        } catch (StackOverflowError e) {
            boolean unused = table.add(cell) == ProcessTable.Add.ADDED && table.remove(cell);
        }
    }
}
