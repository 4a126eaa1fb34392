// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnJre;
import org.junit.jupiter.api.condition.JRE;

/** Y7: blocking handlers run off the workers, so many at once, and those beyond wait, up to a bound. */
class BlockingHandlerTest {
    private static final ThreadLocal<String> LOCAL = new InheritableThreadLocal<>();

    private record Block() implements Command {}

    /** Calls that have begun, and what lets them end. */
    private final AtomicInteger running = new AtomicInteger();

    private final AtomicInteger runningMost = new AtomicInteger();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger interrupted = new AtomicInteger();
    private final Semaphore gate = new Semaphore(0);

    @AfterEach
    void openTheGate() {
        gate.release(1 << 20);
    }

    /** Waits at the gate, and counts. */
    private Object block(Block command) throws InterruptedException {
        begun.incrementAndGet();
        runningMost.accumulateAndGet(running.incrementAndGet(), Math::max);
        try {
            gate.acquire();
            return "let go";
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            throw e;
        } finally {
            running.decrementAndGet();
        }
    }

    private Scheduler start(int workers, int limit) {
        return start(workers, registry -> registry.registerBlocking(Block.class, limit, this::block));
    }

    private static Scheduler start(int workers, Consumer<CommandRegistry> register) {
        var registry = new CommandRegistry();
        register.accept(registry);
        return Scheduler.builder()
                .workers(workers)
                .slowStepLimit(Duration.ofHours(1)) // no spare worker may help
                .shutdownTimeout(Duration.ZERO)
                .handlers(registry)
                .start();
    }

    private static Yielder blocks(int times) {
        return new Yielder(out -> IntStream.range(0, times).forEach(tag -> out.yield(new Block(), tag)));
    }

    @AtWorkers
    void y7_blockedCallsHoldNoWorker(int workers) {
        try (Scheduler scheduler = start(workers, 32)) {
            Yielder yielder = blocks(32);
            ProcessRef process = scheduler.submit(yielder, "main");
            Soon.until("all blocked", () -> running.get() == 32);
            Object pong = Soon.get(scheduler
                    .submit(Process.of((events, out) -> out.done("pong")), "main")
                    .result());
            assertThat(pong).as("more calls block than there are workers").isEqualTo("pong");
            gate.release(32);

            assertThat(yielder.finish(process, 32))
                    .extracting(Completion::data)
                    .hasSize(32)
                    .containsOnly("let go");
        }
    }

    @AtWorkers
    void y7_asManyRunAtOnceAsTheLimitSays(int workers) {
        try (Scheduler scheduler = start(workers, 3)) {
            Yielder yielder = blocks(50);
            ProcessRef process = scheduler.submit(yielder, "main");
            Soon.until("the limit is used", () -> running.get() == 3);
            gate.release(50);
            yielder.finish(process, 50);

            assertThat(runningMost).hasValue(3);
            assertThat(begun).hasValue(50);
        }
    }

    /** One that is cancelled while it waits for its turn is answered at once, and counts no longer. */
    @AtWorkers
    void y7_aWaitingCallThatNobodyWantsMakesRoom(int workers) {
        try (Scheduler scheduler = start(workers, 1)) {
            Yielder first = blocks(1);
            ProcessRef running = scheduler.submit(first, "main");
            Soon.until("the only slot is taken", () -> begun.get() == 1);
            Yielder second = blocks(1);
            ProcessRef waiting = scheduler.submit(second, "main");
            Soon.until("it waits", () -> waiting.inspect().orElseThrow().yieldsInFlight() == 1);
            waiting.cancel("no longer needed");

            assertThat(second.finish(waiting, 1))
                    .singleElement()
                    .satisfies(completion -> assertThat(completion.error())
                            .isInstanceOf(CancellationException.class)
                            .hasMessageContaining("not started"));
            gate.release(1);
            first.finish(running, 1);
            assertThat(begun).hasValue(1);
        }
    }

    @Test
    void y7_theUsualLimitIs64() {
        try (Scheduler scheduler = start(2, registry -> registry.registerBlocking(Block.class, this::block))) {
            Yielder yielder = blocks(100);
            ProcessRef process = scheduler.submit(yielder, "main");
            Soon.until("the limit is used", () -> running.get() == CommandRegistry.BLOCKING_LIMIT_DEFAULT);
            gate.release(100);
            yielder.finish(process, 100);

            assertThat(runningMost).hasValue(64);
        }
    }

    /** Y7: one call may run, as many wait as the bound says, and one past it is refused; none is lost. */
    @Test
    void y7_oneMoreThanMayWaitIsRefusedByName() {
        int most = 1 + CommandRegistry.BLOCKING_WAITING_MAX;
        Yielder first = blocks(StepOutput.YIELDS_MAX);
        try (Scheduler scheduler = start(2, 1)) {
            assertThat(StepOutput.YIELDS_MAX).isEqualTo(most - 1);
            ProcessRef many = scheduler.submit(first, "main");
            Soon.until(
                    "one runs, the others wait",
                    () -> many.inspect().orElseThrow().yieldsInFlight() == most - 1);
            Yielder last = blocks(2);
            ProcessRef process = scheduler.submit(last, "main");
            Soon.until(
                    "one past the bound is refused", () -> !last.completions().isEmpty());
            Completion refused = last.completions().get(0);

            assertThat(refused.tag()).as("the one at the bound waits").isEqualTo(1);
            assertThat(refused.error())
                    .isInstanceOf(CommandOverloadException.class)
                    .hasMessageContainingAll(Block.class.getTypeName(), "1 run and 65536 wait", "raise the limits");
            gate.release(most);
            assertThat(last.finish(process, 2).get(1).data()).isEqualTo("let go");
            assertThat(begun).hasValue(most);
        }
    }

    @AtWorkers
    void y7_callsThatWaitAreRunInOrder(int workers) {
        var order = new ConcurrentLinkedQueue<Object>();
        try (Scheduler scheduler = start(
                workers, registry -> registry.registerBlocking(Echo.class, 1, command -> order.add(command.value())))) {
            var yielder = new Yielder(out -> IntStream.range(0, 200).forEach(tag -> out.yield(new Echo(tag), tag)));
            yielder.finish(scheduler.submit(yielder, "main"), 200);

            assertThat(List.copyOf(order))
                    .isEqualTo(IntStream.range(0, 200).boxed().toList());
            assertThat(yielder.tags())
                    .isEqualTo(LongStream.range(0, 200).boxed().toList());
        }
    }

    @AtWorkers
    void y7_whatTheFunctionThrowsFailsTheYield(int workers) {
        List<Throwable> errors = List.of(new IOException("io"), new StackOverflowError("deep"), new OutOfMemoryError());
        try (Scheduler scheduler = start(
                workers,
                registry -> registry.registerBlocking(Echo.class, 1, command -> {
                    throw UserCode.<RuntimeException>sneaky((Throwable) command.value());
                }))) {
            var yielder = new Yielder(out -> errors.forEach(error -> out.yield(new Echo(error), 0)));
            List<Completion> completions = yielder.finish(scheduler.submit(yielder, "main"), 3);

            assertThat(completions).extracting(Completion::error).containsExactlyElementsOf(errors);
        }
    }

    /** Y7, Y5: nobody wants the answer: the call that runs is interrupted, those that wait are never begun. */
    @AtWorkers
    void y7_callsThatNobodyWantsAreInterruptedOrNotBegun(int workers) {
        try (Scheduler scheduler = start(workers, 2)) {
            ProcessRef unwanted = scheduler.submit(blocks(10), "main");
            Soon.until("two run", () -> running.get() == 2);
            unwanted.terminate();
            Soon.exitOf(unwanted);
            Soon.until("both are interrupted", () -> interrupted.get() == 2);
            gate.release(1);
            Yielder wanted = blocks(1);

            assertThat(wanted.finish(scheduler.submit(wanted, "main"), 1).get(0).data())
                    .as("the interrupt was not for this one")
                    .isEqualTo("let go");
            assertThat(begun).as("eight were never begun").hasValue(3);
        }
    }

    @AtWorkers
    void y7_aTimeoutInterruptsTheCall(int workers) {
        try (Scheduler scheduler = start(workers, 1)) {
            var yielder = new Yielder(out -> out.yield(new Block(), 1, Duration.ofMillis(20)));
            ProcessRef process = scheduler.submit(yielder, "main");
            Completion completion = yielder.finish(process, 1).get(0);

            assertThat(completion.error()).isInstanceOf(CommandTimeoutException.class);
            Soon.until("no call is left", () -> begun.get() == 0 || interrupted.get() == 1);
        }
    }

    /** Y7: a function that leaves its thread interrupted does not disturb the next call on that thread. */
    @AtWorkers
    void y7_anInterruptThatIsLeftBehindIsCleared(int workers) {
        Queue<Boolean> flags = new ConcurrentLinkedQueue<>();
        try (Scheduler scheduler = start(
                workers,
                registry -> registry.registerBlocking(Echo.class, 1, command -> {
                    flags.add(Thread.currentThread().isInterrupted());
                    Thread.currentThread().interrupt();
                    return null;
                }))) {
            var yielder = new Yielder(out -> IntStream.range(0, 20).forEach(tag -> out.yield(new Echo(0), tag)));
            yielder.finish(scheduler.submit(yielder, "main"), 20);

            assertThat(flags).hasSize(20).containsOnly(false);
        }
    }

    /** Y7: what a step leaves in an inheritable thread-local of its worker is not seen by the calls of others. */
    @AtWorkers
    void y7_callsInheritNothingFromTheWorker(int workers) {
        try (Scheduler scheduler =
                start(workers, registry -> registry.registerBlocking(Echo.class, command -> "saw " + LOCAL.get()))) {
            var yielder = new Yielder(out -> {
                LOCAL.set("a secret of this process");
                out.yield(new Echo(0), 1);
            });

            assertThat(yielder.finish(scheduler.submit(yielder, "main"), 1)
                            .get(0)
                            .data())
                    .isEqualTo("saw null");
        }
    }

    /** Y7: two schedulers with one registry have a limit each. */
    @Test
    void y7_theLimitIsOfOneScheduler() {
        var registry = new CommandRegistry().registerBlocking(Block.class, 1, this::block);
        try (Scheduler one = Scheduler.builder()
                        .handlers(registry)
                        .shutdownTimeout(Duration.ZERO)
                        .start();
                Scheduler two = Scheduler.builder()
                        .handlers(registry)
                        .shutdownTimeout(Duration.ZERO)
                        .start()) {
            one.submit(blocks(2), "main");
            two.submit(blocks(2), "main");

            Soon.until("one call runs in each", () -> running.get() == 2);
        }
    }

    @Test
    void y7_aCallThatRunsIsInterruptedByTheShutdown() {
        try (Scheduler scheduler = start(2, 4)) {
            scheduler.submit(blocks(9), "main");
            Soon.until("four run", () -> running.get() == 4);
            scheduler.shutdown(Duration.ZERO);
            Soon.until("all interrupted", () -> interrupted.get() == 4);

            assertThat(begun).as("the others were not begun").hasValue(4);
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void y7_whereThereAreVirtualThreadsCallsRunOnThem() {
        assertThat(kindOfThread()).startsWith("virtual treadle-main-blocking-");
    }

    @Test
    @EnabledOnJre(JRE.JAVA_17)
    void y7_whereThereAreNoVirtualThreadsCallsRunOnDaemonThreads() {
        assertThat(kindOfThread()).startsWith("daemon treadle-main-blocking-");
    }

    private static String kindOfThread() {
        try (Scheduler scheduler = start(
                1, registry -> registry.registerBlocking(Echo.class, command -> describe(Thread.currentThread())))) {
            var yielder = new Yielder(out -> out.yield(new Echo(0), 1));
            return (String)
                    yielder.finish(scheduler.submit(yielder, "main"), 1).get(0).data();
        }
    }

    private static String describe(Thread thread) throws ReflectiveOperationException {
        boolean virtual = JRE.currentVersionNumber() >= 21
                && (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
        return (virtual ? "virtual " : thread.isDaemon() ? "daemon " : "user ") + thread.getName();
    }

    /** Y7: platform threads are used again, and are as few as the limit allows. */
    @Test
    @EnabledOnJre(JRE.JAVA_17)
    void y7_platformThreadsAreBounded() throws Exception {
        Queue<Thread> threads = new ConcurrentLinkedQueue<>();
        var together = new CountDownLatch(4);
        try (Scheduler scheduler = start(
                2,
                registry -> registry.registerBlocking(Echo.class, 4, command -> {
                    threads.add(Thread.currentThread());
                    together.countDown();
                    return together.await(Soon.LIMIT.toSeconds(), TimeUnit.SECONDS);
                }))) {
            var yielder = new Yielder(out -> IntStream.range(0, 500).forEach(tag -> out.yield(new Echo(0), tag)));
            yielder.finish(scheduler.submit(yielder, "main"), 500);

            assertThat(threads).hasSize(500);
            assertThat(threads.stream().distinct()).hasSizeBetween(4, 8);
        }
    }
}
