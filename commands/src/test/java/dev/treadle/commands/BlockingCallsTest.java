// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Command;
import dev.treadle.CommandTimeoutException;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockingCallsTest {
    private record Block() implements Command {}

    private final Semaphore gate = new Semaphore(0);
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger stops = new AtomicInteger();
    private final BlockingCalls calls = new BlockingCalls("test", 2, 3);

    private final Scheduler scheduler =
            LoneCommand.scheduler(registry -> registry.register(Block.class, calls.handler(this::block)));

    /** Is stopped by a flag of its own, not by an interrupt. */
    private Object block(Block command, BlockingCalls.Call<Block> call) throws InterruptedException {
        begun.incrementAndGet();
        var told = new AtomicBoolean();
        call.stopBy(() -> {
            stops.incrementAndGet();
            told.set(true);
        });
        while (!told.get() && !gate.tryAcquire(1, TimeUnit.MILLISECONDS)) {}
        call.checkWanted();
        return Thread.currentThread().getName();
    }

    @AfterEach
    void end() {
        gate.release(1_000);
        scheduler.close();
        Soon.until(
                "threads end with their calls",
                () -> TestThreads.named("treadle-test-").isEmpty());
    }

    private List<ProcessRef> start(int count) {
        var processes = new ArrayList<ProcessRef>();
        for (int i = 0; i < count; i++) {
            processes.add(LoneCommand.start(scheduler, new Block()));
        }
        return processes;
    }

    private void fill() {
        start(5);
        Soon.until(() -> begun.get() == 2 && calls.waiting() == 3);
    }

    @Test
    void callsRunOnThreadsWithTheirName() {
        gate.release();

        assertThat(LoneCommand.run(scheduler, new Block(), String.class)).startsWith("treadle-test-");
    }

    @Test
    void soManyRunSoManyWaitAndOneMoreFailsAtOnce() {
        fill();

        assertThat(LoneCommand.fail(scheduler, new Block(), OverloadException.class))
                .hasMessageContainingAll("command Block was refused", "2 run and 3 wait", "raise them");
        gate.release(5);
        Soon.until(() -> calls.running() == 0);
        assertThat(begun).as("all but the one that was refused").hasValue(5);
    }

    @Test
    void aCallThatRunsIsStoppedInItsOwnWay() {
        ProcessRef process = start(1).get(0);
        Soon.until(() -> begun.get() == 1);
        scheduler.cancel(process.pid(), "enough");

        assertThat(LoneCommand.error(process, CancellationException.class)).hasMessageContaining("Block was stopped");
        assertThat(stops).hasValue(1);
    }

    @Test
    void aCallThatWaitsIsAnsweredWhenItsProcessIsCancelledAndNeverRuns() {
        start(2);
        Soon.until(() -> begun.get() == 2);
        ProcessRef waiting = start(1).get(0);
        Soon.until(() -> calls.waiting() == 1);
        scheduler.cancel(waiting.pid(), "enough");

        assertThat(LoneCommand.error(waiting, CancellationException.class)).hasMessageContaining("was not started");
        assertThat(calls.waiting()).isZero();
        gate.release(2);
        Soon.until(() -> calls.running() == 0);
        assertThat(begun).hasValue(2);
    }

    @Test
    void aCallWhoseYieldTimesOutIsStopped() {
        ProcessRef process = LoneCommand.start(scheduler, new Block(), Duration.ofMillis(50));

        assertThat(LoneCommand.error(process, CommandTimeoutException.class)).isNotNull();
        Soon.until(() -> calls.running() == 0);
        assertThat(stops.get()).isLessThanOrEqualTo(1);
    }

    @Test
    void whenProcessesEndTheirCallsAreStoppedAndNothingIsLeft() {
        fill();
        scheduler.shutdown(Duration.ZERO);

        Soon.until(() -> calls.running() == 0 && calls.waiting() == 0);
    }
}
