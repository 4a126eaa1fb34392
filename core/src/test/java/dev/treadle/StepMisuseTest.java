// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * P2, P6: a process that uses what it was handed for a step when that step is over, or on another thread, hears of it and
 * cannot harm the process that the worker runs by then.
 */
class StepMisuseTest {
    private static final ThreadLocal<Object> LOCAL = new ThreadLocal<>();

    private final AtomicReference<StepOutput> keptOutput = new AtomicReference<>();
    private final AtomicReference<Events> keptEvents = new AtomicReference<>();
    private final AtomicReference<Iterator<Event>> keptIterator = new AtomicReference<>();
    private final Hold.Held held = new Hold.Held();
    private final SteppedScheduler stepped = Scheduler.builder()
            .workers(1)
            .handlers(new CommandRegistry().register(Hold.class, held).register(Echo.class, (command, receiver) -> {
                ((Runnable) command.value()).run();
                receiver.complete(null);
            }))
            .stepped();

    /** Keeps what it is handed. */
    private final Process keeper = Process.of((events, out) -> {
        keptOutput.set(out);
        keptEvents.set(events);
        keptIterator.set(events.iterator());
    });

    @AfterEach
    void close() {
        stepped.close();
    }

    private void keep() {
        ProcessRef process = stepped.scheduler().submit(keeper, "main");
        process.send("one", null);
        process.send("two", null);
        stepped.runAll();
    }

    private static void assertRefused(ThrowingCallable use) {
        assertThatIllegalStateException()
                .isThrownBy(use)
                .withMessageContainingAll("StepOutput", "step", "yield a command or send a message");
    }

    private static List<Consumer<StepOutput>> allUses() {
        return List.of(
                StepOutput::await,
                StepOutput::idle,
                StepOutput::again,
                StepOutput::done,
                out -> out.done("stolen"),
                out -> out.yield(new Hold(), 1),
                out -> out.yield(new Hold(), 1, Duration.ofSeconds(1)),
                out -> out.upgrade(Process.of((events, more) -> {}), "main"),
                out -> out.upgradeKeepingYields(Process.of((events, more) -> {}), "main"));
    }

    @Test
    void afterTheStepItsOutputIsClosed() {
        keep();

        allUses().forEach(use -> assertRefused(() -> use.accept(keptOutput.get())));
        assertThat(held.isEmpty()).isTrue();
    }

    /** The handler of a command runs on the same thread, right after the step: its time is over all the same. */
    @Test
    void aHandlerCannotWriteToTheOutputOfTheStep() {
        var refusals = new ArrayList<Throwable>();
        ProcessRef process = stepped.scheduler()
                .submit(
                        Process.of((events, out) -> {
                            if (!events.isEmpty()) {
                                out.done("own");
                                return;
                            }
                            Runnable misuse = () -> {
                                try {
                                    out.done("stolen");
                                } catch (IllegalStateException e) {
                                    refusals.add(e);
                                }
                            };
                            out.yield(new Echo(misuse), 1);
                        }),
                        "main");
        stepped.runAll();

        assertThat(refusals).hasSize(1);
        assertThat(Soon.exitOf(process).result()).isEqualTo("own");
    }

    @Nested
    class GivenAnotherProcessIsStepped {
        private final CopyOnWriteArrayList<String> seen = new CopyOnWriteArrayList<>();

        /** Runs the misuse on another thread, in the middle of the step of another process. */
        private ProcessRef stepAnother(Runnable misuse) {
            ProcessRef other = stepped.scheduler()
                    .submit(
                            Process.of((events, out) -> {
                                for (Event event : events) {
                                    seen.add(((Message) event).topic());
                                    Soon.get(CompletableFuture.runAsync(misuse));
                                }
                            }),
                            "main");
            other.send("a", null);
            other.send("b", null);
            other.send("c", null);
            stepped.runAll();
            return other;
        }

        @Test
        void aKeptOutputIsRefusedOnAnotherThread() {
            keep();
            var refused = new CopyOnWriteArrayList<Throwable>();
            ProcessRef other = stepAnother(() -> allUses().forEach(use -> {
                try {
                    use.accept(keptOutput.get());
                } catch (IllegalStateException e) {
                    refused.add(e);
                }
            }));

            assertThat(refused).hasSize(3 * allUses().size());
            assertThat(held.isEmpty()).as("nothing was yielded in its name").isTrue();
            assertThat(other.inspect()).as("it was not ended").isPresent();
        }

        @Test
        void aKeptIteratorTakesNoEventAway() {
            keep();
            stepAnother(() -> {
                Iterator<Event> stale = keptIterator.get();
                while (stale.hasNext()) {
                    stale.next();
                }
            });

            assertThat(seen).containsExactly("a", "b", "c");
        }
    }

    @Test
    void afterTheStepItsEventsAreGone() {
        keep();

        assertThat(keptEvents.get().size()).isZero();
        assertThat(keptEvents.get()).isEmpty();
        assertThat(keptIterator.get().hasNext()).isFalse();
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> keptEvents.get().get(0));
    }

    /** The events themselves may be kept: they do not change. */
    @Test
    void eventsMayBeKeptAfterTheStep() throws Exception {
        var kept = new ArrayList<Event>();
        ProcessRef process = stepped.scheduler()
                .submit(
                        Process.of((events, out) -> {
                            events.forEach(kept::add);
                            if (events.isEmpty()) {
                                out.yield(new Hold(), 7);
                                out.idle();
                            }
                        }),
                        "main");
        stepped.runAll();
        process.send("topic", "payload");
        held.take().complete("data");
        stepped.runAll();
        process.terminate();
        stepped.runAll();

        assertThat(((Message) kept.get(0)).payload()).isEqualTo("payload");
        assertThat(((Completion) kept.get(1)).data()).isEqualTo("data");
        assertThat(((Completion) kept.get(1)).tag()).isEqualTo(7);
    }

    /** E3: what a step leaves in a thread-local goes with the thread, when the scheduler ends. */
    @AtWorkers
    void e3_whatAStepLeavesInAThreadLocalIsGoneAfterTheShutdown(int workers) {
        var left = new CopyOnWriteArrayList<WeakReference<Object>>();
        Process process = Process.of((events, out) -> {
            var value = new Object();
            LOCAL.set(value);
            left.add(new WeakReference<>(value));
            out.done();
        });
        try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
            for (int i = 0; i < 20; i++) {
                Soon.exitOf(scheduler.submit(process, "main"));
            }
        }

        Soon.until("collected", () -> {
            System.gc();
            return left.stream().allMatch(reference -> reference.get() == null);
        });
        assertThat(left).hasSize(20);
        assertThat(LOCAL.get()).isNull();
    }
}
