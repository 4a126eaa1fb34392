// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: every push, take and sleep of a process's queue could have come one after the other; in particular, of the pushes
 * that find the process asleep exactly one is told to wake it, no event is lost or handed out twice, and the bound of the
 * mailbox is exact.
 *
 * <p>Method: Lincheck runs few calls through many interleavings, with a bound of three messages and a budget of two events
 * a step. The consumer's calls are in one group, since a process has one owner; it makes them only while the process is
 * awake. The twins sleep without looking again. What a step takes from a backlog is checked by {@link
 * EventQueueBacklogModelTest}, a message that a step gets alone by {@link EventQueueInHandModelTest}.
 */
@Tag("model")
class EventQueueModelTest {
    static final int CAPACITY = 3;
    static final int BUDGET = 2;

    @Test
    void givenSendersAndOwner_whenModelChecked_thenLinearizable() {
        modelChecking(6, 100).check(Production.class);
    }

    @Test
    void givenSendersAndOwner_whenStressed_thenLinearizable() {
        new StressOptions()
                .iterations(4)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsPerThread(3)
                .sequentialSpecification(Spec.class)
                .check(Production.class);
    }

    @Test
    @Tag("deep")
    void givenSendersAndOwner_whenModelCheckedAtLength_thenLinearizable() {
        modelChecking(100, 2_000).threads(3).check(Production.class);
    }

    @Test
    void givenTwinWithoutFault_whenModelChecked_thenLinearizable() {
        twin(5, 100).check(Faultless.class);
    }

    @Test
    void givenTwinThatSleepsBlindly_whenModelChecked_thenFaultFound() {
        assertFaultFound(SleepingBlindly.class);
    }

    @Test
    void givenTwinThatDoesNotTryAgain_whenModelChecked_thenFaultFound() {
        assertFaultFound(NotTryingAgain.class);
    }

    private static void assertFaultFound(Class<? extends TwinCalls> twin) {
        assertThatThrownBy(() -> twin(50, 300).minimizeFailedScenario(false).check(twin))
                .as("a test that misses this fault is no test of the production class")
                .isInstanceOf(LincheckAssertionError.class);
    }

    private static ModelCheckingOptions twin(int iterations, int invocations) {
        return modelChecking(iterations, invocations).sequentialSpecification(TwinSpec.class);
    }

    static ModelCheckingOptions modelChecking(int iterations, int invocations) {
        return new ModelCheckingOptions()
                .iterations(iterations)
                .invocationsPerIteration(invocations)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(2)
                .sequentialSpecification(Spec.class);
    }

    /** The calls that Lincheck makes, and what they look like to it. */
    @Param(name = "number", gen = IntGen.class, conf = "1:9")
    public abstract static class Calls {
        @Operation
        public abstract String message(@Param(name = "number") int number);

        @Operation
        public abstract String completion(@Param(name = "number") int number);

        @Operation(nonParallelGroup = "owner")
        public abstract String take();

        @Operation(nonParallelGroup = "owner")
        public abstract String turnIdle();

        @Operation(nonParallelGroup = "owner")
        public abstract String block();
    }

    /** The class that runs in production. */
    public static class Production extends Calls {
        private final EventQueue queue = new EventQueue();
        private final int budget;
        private final int capacity;

        public Production() {
            this(BUDGET, CAPACITY);
        }

        Production(int budget, int capacity) {
            this.budget = budget;
            this.capacity = capacity;
            if (!queue.open()) {
                throw new AssertionError("cannot be opened");
            }
        }

        @Override
        public String message(int number) {
            return queue.pushMessage(Message.of("M" + number, null), capacity).name();
        }

        @Override
        public String completion(int number) {
            return queue.pushUrgent(Completion.of(number, null, null)).name();
        }

        @Override
        public String take() {
            if (isAsleep()) {
                return "asleep";
            }
            var batch = new EventBatch(64);
            queue.take(batch, budget);
            String names = "";
            for (int i = 0; i < batch.size(); i++) {
                names += batch.get(i) instanceof Message m ? m.topic() : "C" + ((Completion) batch.get(i)).tag();
            }
            return names;
        }

        @Override
        public String turnIdle() {
            return isAsleep() ? "asleep" : String.valueOf(queue.sleep(ProcessState.IDLE));
        }

        @Override
        public String block() {
            return isAsleep() ? "asleep" : String.valueOf(queue.sleep(ProcessState.BLOCKED));
        }

        private boolean isAsleep() {
            return ProcessState.state(queue.word()) != ProcessState.READY;
        }
    }

    /** What one thread at a time would see. */
    public static class Spec extends Calls {
        private final Deque<String> waiting = new ArrayDeque<>();
        private final int budget;
        private final int capacity;
        private int state = ProcessState.READY;

        public Spec() {
            this(BUDGET, CAPACITY);
        }

        Spec(int budget, int capacity) {
            this.budget = budget;
            this.capacity = capacity;
        }

        @Override
        public String message(int number) {
            if (waiting.stream().filter(event -> event.startsWith("M")).count() == capacity) {
                return "FULL";
            }
            waiting.add("M" + number);
            return wakeIf(state == ProcessState.IDLE);
        }

        @Override
        public String completion(int number) {
            waiting.add("C" + number);
            return wakeIf(state != ProcessState.READY);
        }

        private String wakeIf(boolean asleep) {
            if (asleep) {
                state = ProcessState.READY;
            }
            return asleep ? "WAKE" : "QUEUED";
        }

        @Override
        public String take() {
            if (state != ProcessState.READY) {
                return "asleep";
            }
            List<String> taken = new ArrayList<>();
            while (taken.size() < budget && !waiting.isEmpty()) {
                taken.add(waiting.remove());
            }
            return String.join("", taken);
        }

        @Override
        public String turnIdle() {
            return sleep(ProcessState.IDLE, waiting.isEmpty());
        }

        @Override
        public String block() {
            return sleep(ProcessState.BLOCKED, waiting.stream().noneMatch(event -> event.startsWith("C")));
        }

        private String sleep(int asleep, boolean may) {
            if (state != ProcessState.READY) {
                return "asleep";
            }
            state = may ? asleep : state;
            return String.valueOf(may);
        }
    }

    /** The calls of a twin: messages alone. */
    @Param(name = "number", gen = IntGen.class, conf = "1:9")
    public abstract static class TwinCalls {
        @Operation
        public abstract String message(@Param(name = "number") int number);

        @Operation(nonParallelGroup = "owner")
        public abstract String take();

        @Operation(nonParallelGroup = "owner")
        public abstract String turnIdle();
    }

    /** The specification, as far as a twin goes. */
    public static class TwinSpec extends TwinCalls {
        private final Spec spec;

        public TwinSpec() {
            this(new Spec(CAPACITY, CAPACITY));
        }

        TwinSpec(Spec spec) {
            this.spec = spec;
        }

        @Override
        public String message(int number) {
            return spec.message(number);
        }

        @Override
        public String take() {
            return spec.take();
        }

        @Override
        public String turnIdle() {
            return spec.turnIdle();
        }
    }

    /** A queue of the same kind, small, to plant faults in; without one it is right. */
    public static class Faultless extends TwinCalls {
        static final class Node {
            final int number;
            final @Nullable Node next;

            Node(int number, @Nullable Node next) {
                this.number = number;
                this.next = next;
            }
        }

        static final Node IDLE = new Node(0, null);

        final AtomicReference<@Nullable Node> head = new AtomicReference<>();

        @Override
        public String message(int number) {
            while (true) {
                Node top = head.get();
                int size = 0;
                for (Node node = top == IDLE ? null : top; node != null; node = node.next) {
                    size++;
                }
                if (size >= CAPACITY) {
                    return "FULL";
                }
                if (head.compareAndSet(top, new Node(number, top == IDLE ? null : top))) {
                    return top == IDLE ? "WAKE" : "QUEUED";
                }
            }
        }

        @Override
        public String take() {
            if (head.get() == IDLE) {
                return "asleep";
            }
            Node top = head.getAndSet(null);
            var newest = new ArrayDeque<String>();
            for (Node node = top; node != null; node = node.next) {
                newest.push("M" + node.number);
            }
            return String.join("", newest);
        }

        @Override
        public String turnIdle() {
            while (true) {
                Node top = head.get();
                if (top != null) {
                    return top == IDLE ? "asleep" : "false";
                }
                if (sleep()) {
                    return "true";
                }
            }
        }

        boolean sleep() {
            return head.compareAndSet(null, IDLE);
        }
    }

    /** Sleeps although something came in since it looked: what came is lost. */
    public static class SleepingBlindly extends Faultless {
        @Override
        boolean sleep() {
            head.set(IDLE);
            return true;
        }
    }

    /** Gives up when the flag changed under it, and believes that it sleeps. */
    public static class NotTryingAgain extends Faultless {
        @Override
        boolean sleep() {
            head.compareAndSet(null, IDLE);
            return true;
        }
    }
}
