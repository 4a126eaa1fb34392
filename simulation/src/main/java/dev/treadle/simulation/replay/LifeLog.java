// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.Events;
import dev.treadle.Pid;
import dev.treadle.StepHarness;
import dev.treadle.simulation.replay.Batch.Noted;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the entries of one life, and hands them over. Only the thread that runs the process uses it. */
final class LifeLog {
    /** A step that does more than this hands over what it did so far. */
    static final int BATCH_MAX = 256;

    private final Handover handover;
    private final long life;
    private List<Noted> entries = new ArrayList<>(4);

    /** The number of the first of those. */
    private long first;

    private long steps;
    private long events;
    private @Nullable Events current;

    /**
     * The thread that is in init, step or close; what others do with the context is no part of the process. Volatile for the one
     * that closes a process whose step hangs when the scheduler shuts down.
     */
    private volatile @Nullable Thread running;

    LifeLog(Handover handover, long life) {
        this.handover = handover;
        this.life = life;
    }

    /** Returns false if another thread hangs in the process: this one must not touch the log then. */
    boolean enter() {
        if (running != null) {
            return false;
        }
        running = Thread.currentThread();
        return true;
    }

    /** The end of init, step or close. */
    void leave() {
        handOver();
        running = null;
        current = null;
    }

    /** The step has these events: what is noted from now on has a position among them. */
    void current(Events events) {
        current = events;
    }

    /** Any thread: whether it runs the process now. */
    boolean isRunning() {
        return running == Thread.currentThread();
    }

    void add(Entry entry) {
        Events current = this.current;
        entries.add(new Noted(entry, current == null ? 0 : StepHarness.position(current)));
        if (entries.size() >= BATCH_MAX) {
            handOver();
        }
    }

    void handOver() {
        if (entries.isEmpty()) {
            return;
        }
        // The numbers go on if it is refused: a reader sees that some are missing.
        handover.offer(new Batch(life, first, entries));
        first += entries.size();
        entries = new ArrayList<>(4);
    }

    void beginStep(Pid self, int events) {
        add(new Entry.StepBegin(self, ++steps, this.events + 1, events));
    }

    /** Returns the number of the next event, from 1. */
    long nextEvent() {
        return ++events;
    }
}
