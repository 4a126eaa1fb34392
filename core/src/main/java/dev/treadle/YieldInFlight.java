// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A command that was dispatched: what its handler answers to, what the process gets as its {@link Completion}, and what
 * is in the list of the process's yields in flight. One object for all three.
 */
final class YieldInFlight extends Completion implements ResultReceiver {
    /*
     * answer goes once from null to something, by compare-and-set: the first of handler, timeout and abandonment wins,
     * the others hear that they came late. Only the winner touches the queue of the process.
     *
     * One whose answer is what a function returned has it from the start (FunctionAnswer).
     *
     *   null --answer, timeout--> data, NO_DATA or a Failure --(upgrade, by the owner)--> ABANDONED
     *        --end, upgrade-----> ABANDONED
     *
     * hook holds what to run when nobody wants the answer any more: null, an action, or CANCELLED. An action is run by the
     * one who took it out, so at most once, and not if an answer was seen to be in.
     *
     * timer is set by the worker during the dispatch, and read by whoever answers after the answer is in. Both then
     * look at what the other wrote; all four accesses are volatile, so at least one of them sees the other and
     * cancels the timer.
     */
    private static final VarHandle ANSWER =
            fieldVarHandle(MethodHandles.lookup(), "answer", VarHandle.class, YieldInFlight.class, Object.class);
    private static final VarHandle HOOK =
            fieldVarHandle(MethodHandles.lookup(), "hook", VarHandle.class, YieldInFlight.class, Object.class);

    private static final Object NO_DATA = new Object();
    private static final Object ABANDONED = new Object();
    private static final Object CANCELLED = new Object();

    final ProcessCell cell;
    private final Map<String, Object> attributes;

    private volatile @Nullable Object answer;
    private volatile @Nullable Object hook;
    private volatile @Nullable YieldTimer timer;

    /** Links of the process's list of yields in flight. Owner of the process only. */
    @Nullable
    YieldInFlight newer;

    @Nullable
    YieldInFlight older;

    boolean linked;

    /** Set while the handler is called. Others than the worker's thread may see an old one: it sends them away. */
    @Nullable
    CommandDispatch dispatch;

    /** The worker that dispatches it: whether it was answered on the spot, and is in no queue. */
    boolean isAtHand;

    YieldInFlight(ProcessCell cell, long tag, Map<String, Object> attributes) {
        super(tag);
        this.cell = cell;
        this.attributes = attributes;
    }

    /** One that is answered from the start: nobody else ever has it to answer. */
    YieldInFlight(
            ProcessCell cell,
            long tag,
            Map<String, Object> attributes,
            @Nullable Object data,
            @Nullable Throwable error) {
        this(cell, tag, attributes);
        ANSWER.set(this, answer(data, error)); // plain: whatever hands it to another thread publishes it
    }

    private static Object answer(@Nullable Object data, @Nullable Throwable error) {
        return error != null ? new Failure(error, false) : data != null ? data : NO_DATA;
    }

    @Override
    public Pid pid() {
        return cell.self();
    }

    @Override
    public Map<String, Object> attributes() {
        return attributes;
    }

    @Override
    public boolean completeYield(long tag, @Nullable Object data, @Nullable Throwable error) {
        if (tag != tag()) {
            throw new IllegalArgumentException("tag was " + tag + ", must be " + tag()
                    + ", that of the command: pass ResultReceiver.tag(), or use complete and fail");
        }
        if (error != null && data != null) {
            throw new IllegalArgumentException("both data (" + PayloadType.describe(data)
                    + ") and an error were given, a command has one or the other: pass null for one of them");
        }
        CommandDispatch dispatch = this.dispatch;
        boolean here = dispatch != null && dispatch.keeps(this);
        if (!here && Worker.current() != null) {
            StackRoom.ensure(); // an answer that is in must get to the process, from whatever depth of a step it comes
        }
        if (ANSWER.compareAndSet(this, null, answer(data, error))) {
            if (here) {
                isAtHand = true; // no call before this, for the same reason
            }
            cancelTimer();
            if (here || cell.scheduler.routing.pushUrgent(cell, this).isDelivered()) {
                return true;
            }
        }
        cell.scheduler.routing.lateAnswer();
        return false;
    }

    @Override
    public void onCancel(Runnable action) {
        Objects.requireNonNull(action, "action is null: give what stops the work");
        while (true) {
            Object before = HOOK.getVolatile(this);
            if (before == CANCELLED) {
                runHook(action);
                return;
            }
            if (isAnswered() || HOOK.compareAndSet(this, before, action)) {
                return;
            }
        }
    }

    @Override
    public boolean isCancelled() {
        return HOOK.getVolatile(this) == CANCELLED || (answer instanceof Failure failure && failure.isTimeout);
    }

    /** The timer's thread: fails the yield, and tells the handler to stop. */
    void timeOut(CommandTimeoutException error) {
        if (ANSWER.compareAndSet(this, null, new Failure(error, true))) {
            // Whoever owns the process tells the handler: no user code on this thread.
            cell.scheduler.routing.pushUrgent(cell, this);
        }
    }

    /** Owner of the process: tells the handler to stop. It still has to answer. */
    void tellCancelled() {
        while (true) {
            Object before = HOOK.getVolatile(this);
            if (before == CANCELLED || isAnswered()) {
                return;
            }
            if (HOOK.compareAndSet(this, before, CANCELLED)) {
                if (before instanceof Runnable action) {
                    runHook(action);
                }
                return;
            }
        }
    }

    /** Owner of the process, when it has ended or was upgraded: no answer will reach it any more. */
    void abandon() {
        Object before = ANSWER.getAndSet(this, ABANDONED);
        if (before == null) {
            cancelTimer();
            tellCancelled();
        } else if (before instanceof Failure failure && failure.isTimeout) {
            tellCancelled();
        } // else it was answered, and not handed out yet
    }

    /** Whether somebody answered, and neither a timeout nor the end of the process. */
    private boolean isAnswered() {
        Object answer = this.answer;
        return answer != null && answer != ABANDONED && !(answer instanceof Failure failure && failure.isTimeout);
    }

    boolean isAbandoned() {
        return answer == ABANDONED;
    }

    boolean isPending() {
        return answer == null;
    }

    /**
     * The worker that dispatches it: lets a timer answer it. Of a sleep and a timeout, the sooner one; of a time of day and a
     * timeout both, since nobody knows which is the sooner one.
     */
    void startTimer(YieldTimer timer) {
        YieldTimer before = this.timer;
        if (before != null && !before.isElapsing()) {
            timer.beside = before;
        } else if (before != null) {
            if (before.delayNanos <= timer.delayNanos) {
                return;
            }
            before.cancel();
        }
        this.timer = timer;
        timer.start();
        if (answer != null) {
            timer.cancel();
        }
    }

    private void cancelTimer() {
        YieldTimer timer = this.timer;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void runHook(Runnable action) {
        try {
            action.run();
        } catch (Throwable thrown) {
            cell.scheduler.listeners.failed("the onCancel action of a command of " + cell.self(), thrown);
        }
    }

    @Override
    public @Nullable Object data() {
        Object answer = this.answer;
        return answer == NO_DATA || answer == ABANDONED || answer instanceof Failure ? null : answer;
    }

    @Override
    public @Nullable Throwable error() {
        return answer instanceof Failure failure ? failure.error : null;
    }

    /** An answer that is an error. */
    private record Failure(Throwable error, boolean isTimeout) {}
}
