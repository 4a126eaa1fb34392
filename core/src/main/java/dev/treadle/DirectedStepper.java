// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** A stepper whose turns a {@link Director} sees and interferes with. Never loaded where there is none. */
final class DirectedStepper extends Stepper {
    private final Director director;

    private DirectedStepper(Scheduler scheduler, Worker worker, Director director) {
        super(scheduler, worker);
        this.director = director;
    }

    /** Returned as what it extends, so that to verify the caller does not load this class. */
    static Stepper of(Scheduler scheduler, Worker worker, Director director) {
        return new DirectedStepper(scheduler, worker, director);
    }

    @Override
    int budget(ProcessCell cell) {
        int budget = super.budget(cell);
        return Math.max(1, Math.min(budget, director.eventBudget(cell.self(), budget)));
    }

    @Override
    @Nullable
    Throwable step(ProcessCell cell) {
        var given = new ArrayList<Event>(events.size());
        for (int i = 0; i < events.size(); i++) {
            given.add(events.peek(i));
        }
        Throwable thrown;
        try {
            director.beforeStep(cell.self(), given);
            thrown = super.step(cell);
        } catch (Throwable byDirector) {
            thrown = byDirector;
        }
        Thread.interrupted(); // that of the step is not meant for the director
        try {
            director.afterStep(cell.self(), out.status().name(), thrown);
        } catch (Throwable byDirector) {
            return thrown == null ? byDirector : thrown;
        }
        return thrown;
    }
}
