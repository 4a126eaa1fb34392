// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import dev.treadle.Signal;
import org.jspecify.annotations.Nullable;

/**
 * One process watching another: when the other ends, in whatever way, the watcher gets one {@link Signal} of kind {@link
 * Signal.Kind#EXIT}, whose {@link Signal#exit} says how and whose {@link Signal#ref} is {@link #ref}.
 */
public final class Monitor {
    private final long ref;
    private final Pid watcher;
    private final Pid target;

    // Under the lock of this object.
    private boolean ended;
    private @Nullable Signal told;

    Monitor(long ref, Pid watcher, Pid target) {
        this.ref = ref;
        this.watcher = watcher;
        this.target = target;
    }

    /** Returns what tells this monitor's signal from those of others. */
    public long ref() {
        return ref;
    }

    /** Returns who watches. */
    public Pid watcher() {
        return watcher;
    }

    /** Returns who is watched. */
    public Pid target() {
        return target;
    }

    /** Takes the signal to send; false if this monitor was ended before. */
    synchronized boolean tell(Signal signal) {
        if (ended) {
            return false;
        }
        ended = true;
        told = signal;
        return true;
    }

    /** Ends it: from now on no step gets a signal of it, not even one that waits. */
    synchronized void end() {
        ended = true;
        if (told != null) {
            told.revoke();
        }
    }

    @Override
    public String toString() {
        return "Monitor[" + ref + ", " + watcher + " watches " + target + "]";
    }
}
