// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a process is doing, as {@link Scheduler#scan} shows it: the figures of a {@link ProcessInfo} without an object for
 * each process. One view shows one process after the other, so it is valid only during the call; what is to be kept, keep
 * as {@link #info}. All figures but {@link #steps}, {@link #yieldsInFlight} and {@link #worker} are of one moment.
 */
public final class ProcessView {
    private final long nowNanos;
    private @Nullable ProcessCell cell;
    private ProcessInfo.State state = ProcessInfo.State.READY;
    private String type = "";
    private String method = "";
    private @Nullable Pid parent;
    private int queueLength;

    ProcessView(long nowNanos) {
        this.nowNanos = nowNanos;
    }

    /** A cell that has looked at itself. */
    void show(
            ProcessCell cell,
            ProcessInfo.State state,
            String type,
            String method,
            @Nullable Pid parent,
            int queueLength) {
        this.cell = cell;
        this.state = state;
        this.type = type;
        this.method = method;
        this.parent = parent;
        this.queueLength = queueLength;
    }

    /** Returns the number of the process on its host: with the scheduler's name, its address. */
    public long id() {
        return cell().id;
    }

    /** Returns its state. */
    public ProcessInfo.State state() {
        return state;
    }

    /** Returns the class of the process. */
    public String type() {
        return type;
    }

    /** Returns its entry point. */
    public String method() {
        return method;
    }

    /** Returns the process that spawned it, or null. */
    public @Nullable Pid parent() {
        return parent;
    }

    /** Returns how many steps it has had. */
    public long steps() {
        return cell().steps();
    }

    /** Returns how many messages wait in its mailbox. */
    public int queueLength() {
        return queueLength;
    }

    /** Returns how many of its commands are not yet answered. */
    public int yieldsInFlight() {
        return cell().yieldsInFlight();
    }

    /** Returns how long ago it was started, in nanoseconds. */
    public long ageNanos() {
        return Math.max(0, nowNanos - cell().startedNanos());
    }

    /** Returns the worker that runs it or ran it last, or -1 if none did yet. */
    public int worker() {
        return cell().worker();
    }

    /** Returns what was set at submit or spawn. */
    public Map<String, Object> attributes() {
        return cell().attributes();
    }

    /** Returns the same as a record, to keep. */
    public ProcessInfo info() {
        ProcessCell cell = cell();
        return new ProcessInfo(
                cell.self(),
                state,
                type,
                method,
                parent,
                steps(),
                queueLength,
                yieldsInFlight(),
                Duration.ofNanos(ageNanos()),
                worker(),
                attributes());
    }

    private ProcessCell cell() {
        ProcessCell cell = this.cell;
        if (cell == null) {
            throw new IllegalStateException(
                    "this view shows no process any more: use it inside of scan() only, and keep"
                            + " info() of what is to be kept");
        }
        return cell;
    }

    /** After the last process. */
    void clear() {
        cell = null;
        parent = null;
    }

    @Override
    public String toString() {
        return cell == null ? "ProcessView[nothing]" : "ProcessView[" + info() + "]";
    }
}
