// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.EventQueueModelTest.Production;
import dev.treadle.EventQueueModelTest.Spec;
import dev.treadle.EventQueueModelTest.TwinCalls;
import dev.treadle.EventQueueModelTest.TwinSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: a message that a step gets alone, and that stays on top of the queue until the step is over, takes no room
 * meanwhile: the bound of the mailbox is exact, and nothing is lost or handed out twice.
 *
 * <p>Method: Lincheck, with a bound of one message. The twins keep such a message in the same way: one takes it off without
 * turning to the other side, so that the next one seems to be in hand as well; one counts it as waiting; one sleeps over
 * what came in meanwhile.
 */
@Tag("model")
class EventQueueInHandModelTest {
    private static final int CAPACITY = 1;
    private static final int BUDGET = 2;

    @Test
    void givenOneAtATime_whenModelChecked_thenLinearizable() {
        production(15, 100).check(ProductionOfOne.class);
    }

    @Test
    @Tag("deep")
    void givenOneAtATime_whenModelCheckedAtLength_thenLinearizable() {
        production(100, 2_000).threads(3).check(ProductionOfOne.class);
    }

    @Test
    void givenTwinWithoutFault_whenModelChecked_thenLinearizable() {
        twin(10, 100).check(Faultless.class);
    }

    @Test
    void givenTwinWithOneSide_whenModelChecked_thenFaultFound() {
        assertFaultFound(OneSided.class);
    }

    @Test
    void givenTwinThatCountsWhatIsInHand_whenModelChecked_thenFaultFound() {
        assertFaultFound(CountingInHand.class);
    }

    @Test
    void givenTwinThatSleepsBlindly_whenModelChecked_thenFaultFound() {
        assertFaultFound(SleepingBlindly.class);
    }

    private static void assertFaultFound(Class<? extends TwinCalls> twin) {
        assertThatThrownBy(() -> twin(50, 300).minimizeFailedScenario(false).check(twin))
                .as("a test that misses this fault is no test of the production class")
                .isInstanceOf(LincheckAssertionError.class);
    }

    private static ModelCheckingOptions production(int iterations, int invocations) {
        return EventQueueModelTest.modelChecking(iterations, invocations).sequentialSpecification(SpecOfOne.class);
    }

    private static ModelCheckingOptions twin(int iterations, int invocations) {
        return EventQueueModelTest.modelChecking(iterations, invocations).sequentialSpecification(TwinSpecOfOne.class);
    }

    /** The class that runs in production. */
    public static class ProductionOfOne extends Production {
        public ProductionOfOne() {
            super(BUDGET, CAPACITY);
        }
    }

    /** What one thread at a time would see. */
    public static class SpecOfOne extends Spec {
        public SpecOfOne() {
            super(BUDGET, CAPACITY);
        }
    }

    /** The same, as far as a twin goes. */
    public static class TwinSpecOfOne extends TwinSpec {
        public TwinSpecOfOne() {
            super(new SpecOfOne());
        }
    }

    /** A queue that keeps what is in hand in the same way, small, to plant faults in; without one it is right. */
    public static class Faultless extends TwinCalls {
        /** What waits, oldest first, what is in hand in front of it. */
        record Top(List<Integer> messages, int side, boolean asleep) {}

        final AtomicReference<Top> head = new AtomicReference<>(new Top(List.of(), 1, false));
        volatile int handSide;

        @Override
        @SuppressWarnings("ReferenceEquality") // the very same top: an equal one may have come after others
        public String message(int number) {
            while (true) {
                Top top = head.get();
                if (waiting(top) >= CAPACITY) {
                    if (head.get() == top) {
                        return "FULL";
                    }
                    continue;
                }
                var more = new ArrayList<>(top.messages);
                more.add(number);
                if (head.compareAndSet(top, new Top(more, top.side, false))) {
                    return top.asleep ? "WAKE" : "QUEUED";
                }
            }
        }

        int waiting(Top top) {
            return top.messages.size() - (handSide == top.side ? 1 : 0);
        }

        @Override
        public String take() {
            if (head.get().asleep) {
                return "asleep";
            }
            Top top;
            do {
                top = head.get();
            } while (handSide == top.side && !head.compareAndSet(top, putDown(top, false)));
            top = head.get();
            if (top.messages.isEmpty()) {
                return "";
            }
            handSide = top.side;
            return "M" + top.messages.get(0);
        }

        private Top putDown(Top top, boolean asleep) {
            return new Top(top.messages.subList(1, top.messages.size()), nextSide(top.side), asleep);
        }

        int nextSide(int side) {
            return 3 - side;
        }

        @Override
        public String turnIdle() {
            while (true) {
                Top top = head.get();
                boolean inHand = handSide == top.side;
                if (top.asleep || top.messages.size() > (inHand ? 1 : 0)) {
                    return top.asleep ? "asleep" : "false";
                }
                if (swing(top, inHand ? putDown(top, true) : new Top(List.of(), top.side, true))) {
                    return "true";
                }
            }
        }

        boolean swing(Top top, Top after) {
            return head.compareAndSet(top, after);
        }
    }

    /** Takes off what is in hand, and leaves no trace of it: the next message seems to be in hand before it is taken. */
    public static class OneSided extends Faultless {
        @Override
        int nextSide(int side) {
            return side;
        }
    }

    /** Refuses a message because of the one in hand, which does not wait any more. */
    public static class CountingInHand extends Faultless {
        @Override
        int waiting(Top top) {
            return top.messages.size();
        }
    }

    /** Sleeps although something came in since it looked. */
    public static class SleepingBlindly extends Faultless {
        @Override
        boolean swing(Top top, Top after) {
            head.set(after);
            return true;
        }
    }
}
