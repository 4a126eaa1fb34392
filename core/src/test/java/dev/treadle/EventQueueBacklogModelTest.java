// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static dev.treadle.EventQueueModelTest.BUDGET;
import static dev.treadle.EventQueueModelTest.CAPACITY;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.EventQueueModelTest.Production;
import dev.treadle.EventQueueModelTest.Spec;
import dev.treadle.EventQueueModelTest.TwinCalls;
import dev.treadle.EventQueueModelTest.TwinSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: what a step takes from a backlog, and what comes in meanwhile, could have come one after the other; nothing is lost,
 * and the bound of the mailbox is exact.
 *
 * <p>Method: Lincheck, with one event a step and two in the backlog to begin with, so that steps are filled from it; and by
 * hand, with two events a step and one in the backlog, against a sender that fills the mailbox meanwhile. One twin writes
 * over what came in meanwhile, the other lowers the count after the events were taken.
 */
@Tag("model")
class EventQueueBacklogModelTest {
    private static final int FILLS = 300;

    @Test
    void givenStepsFilledFromTheBacklog_whenModelChecked_thenLinearizable() {
        production(15, 100).check(ProductionWithBacklog.class);
    }

    @Test
    @Tag("deep")
    void givenStepsFilledFromTheBacklog_whenModelCheckedAtLength_thenLinearizable() {
        production(100, 2_000).check(ProductionWithBacklog.class);
    }

    @Test
    void givenTwinWithoutFault_whenModelChecked_thenLinearizable() {
        twin(10, 100).check(FaultlessWithBacklog.class);
    }

    @Test
    void givenTwinThatWritesBlindly_whenModelChecked_thenFaultFound() {
        assertThatThrownBy(() -> twin(50, 300).minimizeFailedScenario(false).check(WritingBlindlyWithBacklog.class))
                .as("a test that misses this fault is no test of the production class")
                .isInstanceOf(LincheckAssertionError.class);
    }

    /** If the count were lowered after the events were taken, a step could leave what filled the mailbox meanwhile. */
    @Test
    void givenABacklog_whenAMessageIsRefusedMeanwhile_thenTheStepGotAllItCould() {
        Lincheck.runConcurrentTest(FILLS, () -> {
            var queue = new Production();
            fillWhileTaking(queue::message, queue::take);
        });
    }

    @Test
    void givenTwinWithoutFault_whenAMessageIsRefusedMeanwhile_thenTheStepGotAllItCould() {
        Lincheck.runConcurrentTest(FILLS, () -> fillWhileTaking(new Faultless(BUDGET)));
    }

    @Test
    void givenTwinThatCountsLater_whenAMessageIsRefusedMeanwhile_thenFaultFound() {
        assertThatThrownBy(() -> Lincheck.runConcurrentTest(FILLS, () -> fillWhileTaking(new CountingLater())))
                .as("a test that misses this fault is no test of the production class")
                .isInstanceOf(LincheckAssertionError.class);
    }

    private static void fillWhileTaking(TwinCalls twin) {
        fillWhileTaking(twin::message, twin::take);
    }

    private static void fillWhileTaking(IntFunction<String> message, Supplier<String> take) {
        fillBacklog(message, take, "M1M2");
        var taken = new AtomicReference<String>();
        var pushed = new AtomicReference<String>();
        ModelThreads.run(
                () -> taken.set(take.get()), () -> pushed.set(message.apply(4) + message.apply(5) + message.apply(6)));
        if (pushed.get().contains("FULL") && !taken.get().equals("M3M4")) {
            throw new AssertionError("pushed: " + pushed + ", but the step took " + taken + " only");
        }
    }

    /** Three messages, of which a first step takes as many as it may. */
    private static void fillBacklog(IntFunction<String> message, Supplier<String> take, String first) {
        for (int number = 1; number <= CAPACITY; number++) {
            if (!message.apply(number).equals("QUEUED")) {
                throw new AssertionError("message " + number + " is not in");
            }
        }
        String taken = take.get();
        if (!taken.equals(first)) {
            throw new AssertionError("taken first: " + taken);
        }
    }

    private static ModelCheckingOptions production(int iterations, int invocations) {
        return withBacklog(iterations, invocations).sequentialSpecification(SpecWithBacklog.class);
    }

    private static ModelCheckingOptions twin(int iterations, int invocations) {
        return withBacklog(iterations, invocations).sequentialSpecification(TwinSpecWithBacklog.class);
    }

    /** Few calls at a time, before the backlog is used up, and some after them, which tell what is left. */
    private static ModelCheckingOptions withBacklog(int iterations, int invocations) {
        return EventQueueModelTest.modelChecking(iterations, invocations)
                .actorsBefore(0)
                .actorsPerThread(2)
                .actorsAfter(4);
    }

    /** The class that runs in production, with one event a step and a backlog of two. */
    public static class ProductionWithBacklog extends Production {
        public ProductionWithBacklog() {
            super(1, CAPACITY);
            fillBacklog(this::message, this::take, "M1");
        }
    }

    /** What one thread at a time would see, with one event a step and a backlog of two. */
    public static class SpecWithBacklog extends Spec {
        public SpecWithBacklog() {
            super(1, CAPACITY);
            fillBacklog(this::message, this::take, "M1");
        }
    }

    /** The same, as far as a twin goes. */
    public static class TwinSpecWithBacklog extends TwinSpec {
        public TwinSpecWithBacklog() {
            super(new SpecWithBacklog());
        }
    }

    /** A queue that takes in the same way, small, to plant faults in; without one it is right. */
    public static class Faultless extends TwinCalls {
        /** What waits in front of the backlog, oldest first, and how many wait in both. */
        record Top(List<Integer> fresh, int count, boolean asleep) {}

        final AtomicReference<Top> head = new AtomicReference<>(new Top(List.of(), 0, false));
        final Deque<Integer> backlog = new ArrayDeque<>();
        final int budget;

        Faultless(int budget) {
            this.budget = budget;
        }

        @Override
        public String message(int number) {
            while (true) {
                Top top = head.get();
                if (top.count == CAPACITY) {
                    return "FULL";
                }
                var fresh = new ArrayList<>(top.fresh);
                fresh.add(number);
                if (head.compareAndSet(top, new Top(fresh, top.count + 1, false))) {
                    return top.asleep ? "WAKE" : "QUEUED";
                }
            }
        }

        @Override
        public String take() {
            if (head.get().asleep) {
                return "asleep";
            }
            return backlog.size() >= budget ? takeFromBacklog() : takeMessages();
        }

        private String takeFromBacklog() {
            Top top;
            do {
                top = head.get();
            } while (!swing(top, new Top(top.fresh, top.count - budget, false)));
            return poll(budget);
        }

        String takeMessages() {
            Top top;
            int share;
            do {
                top = head.get();
                share = Math.min(budget, top.count);
            } while (!head.compareAndSet(top, new Top(List.of(), top.count - share, false)));
            backlog.addAll(top.fresh);
            return poll(share);
        }

        final String poll(int count) {
            String names = "";
            for (int i = 0; i < count; i++) {
                names += "M" + backlog.remove();
            }
            return names;
        }

        boolean swing(Top top, Top after) {
            return head.compareAndSet(top, after);
        }

        @Override
        public String turnIdle() {
            while (true) {
                Top top = head.get();
                if (top.asleep || top.count > 0) {
                    return top.asleep ? "asleep" : "false";
                }
                if (head.compareAndSet(top, new Top(List.of(), 0, true))) {
                    return "true";
                }
            }
        }
    }

    /** With one event a step and a backlog of two. */
    public static class FaultlessWithBacklog extends Faultless {
        public FaultlessWithBacklog() {
            super(1);
            fillBacklog(this::message, this::take, "M1");
        }
    }

    /** Writes over what came in since it looked. */
    public static class WritingBlindlyWithBacklog extends FaultlessWithBacklog {
        @Override
        boolean swing(Top top, Top after) {
            head.set(after);
            return true;
        }
    }

    /** Takes first, and lowers the count later: in between the mailbox looks fuller than it is. */
    private static final class CountingLater extends Faultless {
        CountingLater() {
            super(BUDGET);
        }

        @Override
        String takeMessages() {
            Top top;
            do {
                top = head.get();
            } while (!head.compareAndSet(top, new Top(List.of(), top.count, false)));
            backlog.addAll(top.fresh);
            int share = Math.min(budget, backlog.size());
            String taken = poll(share);
            do {
                top = head.get();
            } while (!head.compareAndSet(top, new Top(top.fresh, top.count - share, false)));
            return taken;
        }
    }
}
