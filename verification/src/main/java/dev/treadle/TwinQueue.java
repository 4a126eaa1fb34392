// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.verification.Twin;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The algorithm of {@link EventQueue} in short, with the fault of the twin that is chosen. */
final class TwinQueue extends QueueUnderTest {

    /** What the head of the queue says; a new object for each change. */
    private record Node(
            int state,
            boolean woken,
            int messages,
            @Nullable Object newest) {
        Node withState(int next) {
            return new Node(next, woken, messages, newest);
        }
    }

    private final AtomicReference<Node> head = new AtomicReference<>(new Node(ProcessState.READY, false, 0, null));
    private byte written;

    static boolean isChosen() {
        return Twin.QUEUE_SLEEPS_BLINDLY.isChosen()
                || Twin.QUEUE_DOES_NOT_TRY_AGAIN.isChosen()
                || Twin.QUEUE_HANDS_OVER_LATE.isChosen()
                || Twin.QUEUE_SENDS_FIRST.isChosen()
                || Twin.QUEUE_CLOSED_TOO_EARLY.isChosen();
    }

    @Override
    EventStack.Push pushMessage(Object payload) {
        while (true) {
            Node top = head.get();
            if (top.state == ProcessState.COMPLETE) {
                return EventStack.Push.CLOSED;
            }
            boolean wakes = top.state == ProcessState.IDLE;
            int state = wakes ? ProcessState.READY : top.state;
            if (head.compareAndSet(top, new Node(state, top.woken, top.messages + 1, payload))) {
                return wakes ? EventStack.Push.WAKE : EventStack.Push.QUEUED;
            }
        }
    }

    @Override
    EventStack.Push pushUrgent() {
        while (true) {
            Node top = head.get();
            if (top.state == ProcessState.COMPLETE) {
                return EventStack.Push.CLOSED;
            }
            boolean wakes = top.state != ProcessState.READY;
            boolean woken = wakes || !Twin.ANSWER_RAISES_NO_FLAG.isChosen();
            if (head.compareAndSet(top, new Node(ProcessState.READY, woken, top.messages, top.newest))) {
                return wakes ? EventStack.Push.WAKE : EventStack.Push.QUEUED;
            }
        }
    }

    @Override
    boolean sleep(int state) {
        while (true) {
            Node top = head.get();
            if (top.woken || (state == ProcessState.IDLE && top.messages > 0)) {
                return false;
            }
            if (Twin.QUEUE_SLEEPS_BLINDLY.isChosen()) {
                head.set(top.withState(state));
                return true;
            }
            if (head.compareAndSet(top, top.withState(state)) || Twin.QUEUE_DOES_NOT_TRY_AGAIN.isChosen()) {
                return true;
            }
        }
    }

    @Override
    boolean writeAndSleep(byte value) {
        boolean sleeps = sleep(ProcessState.IDLE);
        written = value; // late
        return sleeps;
    }

    @Override
    byte written() {
        return written;
    }

    @Override
    void writeAndSend(int[] content) {
        if (pushMessage(content) != EventStack.Push.QUEUED) {
            throw new IllegalStateException("not queued");
        }
        content[0] = 1; // late
    }

    @Override
    int take() {
        Node top = head.getAndSet(new Node(ProcessState.READY, false, 0, null));
        return top.newest == null ? 0 : seen(top.newest);
    }

    @Override
    int finish() {
        int messages = head.get().messages;
        head.set(new Node(ProcessState.COMPLETE, false, 0, null)); // late
        return messages;
    }
}
