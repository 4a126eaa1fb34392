// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import dev.treadle.Command;
import dev.treadle.CommandRegistry;
import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.Scheduler;
import dev.treadle.StepOutput;
import dev.treadle.command.Sleep;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several steps with different systems, of which all are done in the end, or none. If one fails, or the saga is cancelled,
 * what was done before is undone in the reverse order.
 *
 * <pre>
 *   do 1 --&gt; do 2 --&gt; do 3 --&gt; done
 *             | fails   | fails
 *             v         v
 *   undo 1 &lt;- undo 2 &lt;- undo 3
 * </pre>
 *
 * <p>The step that failed is undone too: after a timeout nobody knows whether it was done. So an undo must do no harm when
 * there is nothing to undo, nor when it comes twice. One that fails is tried again, since there is no way further back.
 */
public final class Saga implements Process {
    /** A step, and what undoes it. */
    record Step(String name, Command action, Command undo) {}

    /** How it ended. If there was a problem, nothing is left of what was done. */
    record Outcome(@Nullable String problem) {
        boolean isDone() {
            return problem == null;
        }
    }

    private static final long ACTION = 1;
    private static final long UNDO = 2;
    private static final long PAUSE = 3;
    private static final int UNDO_ATTEMPTS_MAX = 5;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final List<Step> steps;
    private final Duration pause;
    private ProcessContext context;
    private boolean started;
    private int at;
    private int undoAttempts;
    private @Nullable String problem;

    /**
     * Makes a saga.
     *
     * @param steps at least one
     * @param pause how long to wait before an undo that failed is tried again
     */
    Saga(List<Step> steps, Duration pause) {
        this.steps = List.copyOf(steps);
        this.pause = pause;
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        this.context = context;
    }

    @Override
    public void step(Events events, StepOutput out) {
        if (!started) {
            started = true;
            act(out);
        }
        for (Event event : events) {
            if (event instanceof Completion completion) {
                goOn(completion, out);
            } // a cancel is seen when the action that is under way has completed
        }
    }

    private void goOn(Completion completion, StepOutput out) {
        if (completion.tag() == ACTION) {
            if (completion.isFailed()) {
                problem = steps.get(at).name() + " failed: " + completion.error();
                undo(out);
            } else if (context.isCancelled()) {
                problem = "cancelled after " + steps.get(at).name();
                undo(out);
            } else if (++at < steps.size()) {
                act(out);
            } else {
                out.done(new Outcome(null));
            }
        } else if (completion.tag() == PAUSE) {
            undo(out);
        } else if (completion.isFailed()) {
            tryAgain(completion, out);
        } else if (--at >= 0) {
            undoAttempts = 0;
            undo(out);
        } else {
            out.done(new Outcome(problem));
        }
    }

    private void act(StepOutput out) {
        out.yield(steps.get(at).action(), ACTION, TIMEOUT);
    }

    private void undo(StepOutput out) {
        out.yield(steps.get(at).undo(), UNDO, TIMEOUT);
    }

    private void tryAgain(Completion completion, StepOutput out) {
        if (++undoAttempts == UNDO_ATTEMPTS_MAX) {
            throw new IllegalStateException(
                    steps.get(at).name() + " could not be undone in " + UNDO_ATTEMPTS_MAX
                            + " attempts: somebody has to look at it; it was undone because " + problem,
                    completion.error());
        }
        out.yield(new Sleep(pause.multipliedBy(undoAttempts)), PAUSE);
    }

    /** Books something, or gives it back. */
    record Booking(String what, boolean isUndo) implements Command {}

    /** Books a trip for which there is no car. */
    public static void main(String[] args) throws Exception {
        var registry = new CommandRegistry().registerBlocking(Booking.class, 4, booking -> {
            System.out.println((booking.isUndo() ? "give back the " : "book the ") + booking.what());
            if (booking.what().equals("car") && !booking.isUndo()) {
                throw new IllegalStateException("no car left");
            }
            return null;
        });
        List<Step> trip = List.of("flight", "hotel", "car").stream()
                .map(what -> new Step(what, new Booking(what, false), new Booking(what, true)))
                .toList();
        try (Scheduler scheduler = Scheduler.builder().handlers(registry).start()) {
            System.out.println(scheduler
                    .submit(new Saga(trip, Duration.ofMillis(100)), "main")
                    .result()
                    .get());
        }
    }
}
