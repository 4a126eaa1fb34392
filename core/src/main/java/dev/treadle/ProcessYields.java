// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The events that wait for a process, and its yields in flight: a list through the yields themselves, so that it costs no
 * object of its own. A part of {@link ProcessCell}.
 */
class ProcessYields extends EventQueue {
    private static final VarHandle IN_FLIGHT_COUNT =
            fieldVarHandle(MethodHandles.lookup(), "inFlightCount", VarHandle.class, ProcessYields.class, int.class);

    /** The owner's. */
    private @Nullable YieldInFlight newestInFlight;

    /** Written by the owner, opaque: whoever reads it makes a report. */
    private int inFlightCount;

    /** Owner only. */
    final void link(YieldInFlight yield) {
        YieldInFlight newest = newestInFlight;
        yield.older = newest;
        if (newest != null) {
            newest.newer = yield;
        }
        newestInFlight = yield;
        yield.linked = true;
        IN_FLIGHT_COUNT.setOpaque(this, inFlightCount + 1);
    }

    /** Owner only. */
    final void unlink(YieldInFlight yield) {
        if (!yield.linked) {
            return;
        }
        YieldInFlight newer = yield.newer;
        YieldInFlight older = yield.older;
        if (newer == null) {
            newestInFlight = older;
        } else {
            newer.older = older;
        }
        if (older != null) {
            older.newer = newer;
        }
        yield.newer = null;
        yield.older = null;
        yield.linked = false;
        IN_FLIGHT_COUNT.setOpaque(this, inFlightCount - 1);
    }

    /** Owner only: tells the handlers of all yields in flight to stop; they still have to answer. */
    final void tellHandlersCancelled() {
        for (YieldInFlight yield = newestInFlight; yield != null; yield = yield.older) {
            yield.tellCancelled();
        }
    }

    /** Owner only: no yield in flight completes anything here any more. */
    final void abandonYields() {
        YieldInFlight yield = newestInFlight;
        newestInFlight = null;
        IN_FLIGHT_COUNT.setOpaque(this, 0);
        while (yield != null) {
            YieldInFlight older = yield.older;
            yield.newer = null;
            yield.older = null;
            yield.linked = false;
            yield.abandon();
            yield = older;
        }
    }

    /** Any thread. */
    final int yieldsInFlight() {
        return (int) IN_FLIGHT_COUNT.getOpaque(this);
    }
}
