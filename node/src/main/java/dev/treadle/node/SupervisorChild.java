// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Message;
import dev.treadle.Pid;
import dev.treadle.ProcessExit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** A child as its supervisor knows it, through all of its lives. Its supervisor only, but for {@link #view}. */
final class SupervisorChild {
    /** What becomes of a child that is stopped, once it has ended. */
    enum Next {
        START,
        KEEP,
        FORGET
    }

    /** What others may see. */
    record View(SupervisionTree.State state, @Nullable Pid pid, long restarts) {}

    final ChildSpec spec;

    /** Its place: children are started in this order, and stopped in the reverse. */
    final long order;

    /** Children with the same number are started without waiting for each other. */
    final long wave;

    /** What has to end before it has: its process, and what that left behind; by the reference of the monitor. */
    final ConcurrentMap<Long, Pid> watched = new ConcurrentHashMap<>();

    /** Whether it has not yet been started for the first time, and was there from the beginning. */
    boolean isInitial;

    /** The earliest time of its next start, in nanoseconds since the supervisor started. */
    long startNanos;

    /** When it was last started; meaningful while it is alive. */
    long startedNanos;

    boolean wasStarted;

    /** How many times in a row it ended soon after its start, or did not start. */
    int failures;

    /** Whether its next start is a restart by the rules. */
    boolean isRestart;

    /** Whether it is to be stopped. */
    boolean isStopWanted;

    /** Whether it was told so. */
    boolean isStopTold;

    /** Whether somebody asked for it to be stopped, so that it does not start together with others. */
    boolean isKeptStopped;

    Next next = Next.KEEP;

    @Nullable
    ProcessExit exit;

    final List<Message> waitForStart = new ArrayList<>(0);
    final List<Message> waitForEnd = new ArrayList<>(0);

    private volatile View view = new View(SupervisionTree.State.WAITING, null, 0);

    SupervisorChild(ChildSpec spec, long order) {
        this.spec = spec;
        this.order = order;
        this.wave = spec.wave() < 0 ? Long.MIN_VALUE + order : spec.wave();
    }

    View view() {
        return view;
    }

    SupervisionTree.State state() {
        return view.state();
    }

    @Nullable
    Pid pid() {
        return view.pid();
    }

    /** Whether it, or what it left behind, has not ended. */
    boolean isAlive() {
        return !watched.isEmpty();
    }

    void show(SupervisionTree.State state, @Nullable Pid pid) {
        view = new View(state, pid, view.restarts());
    }

    void show(SupervisionTree.State state) {
        show(state, view.pid());
    }

    void countRestart() {
        view = new View(view.state(), view.pid(), view.restarts() + 1);
    }

    static int byStart(SupervisorChild a, SupervisorChild b) {
        int byTime = Long.compare(a.startNanos, b.startNanos);
        return byTime != 0 ? byTime : Long.compare(a.order, b.order);
    }
}
