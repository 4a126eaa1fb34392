// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.DeadLetter;
import dev.treadle.ProcessExit;
import dev.treadle.SchedulerListener;
import dev.treadle.SlowStep;
import dev.treadle.relay.Envelope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Remembers what went wrong lately, for the {@link Dashboard} to show: slow steps with their stacks, processes that failed,
 * messages that nobody got. Keeps the latest 50 of each kind, and counts all.
 *
 * <pre>{@code
 * var incidents = new Incidents();
 * Node node = Node.builder().schedulers(scheduler -> scheduler.listener(incidents)).start();
 * Dashboard dashboard = Dashboard.of(node).incidents(incidents).start();
 * }</pre>
 *
 * <p>A scheduler that has any listener leaves it to them to report failures and slow steps, and does not log them.
 */
public final class Incidents implements SchedulerListener {
    private final IncidentLog slowSteps = new IncidentLog();
    private final IncidentLog failures = new IncidentLog();
    private final IncidentLog deadLetters = new IncidentLog();

    /** Makes one; give it to the builder of each scheduler that it shall hear. */
    public Incidents() {}

    @Override
    public void onSlowStep(SlowStep step) {
        slowSteps.add(() -> new Incident(
                Instant.now(),
                step.pid(),
                "held worker " + step.worker() + " for " + step.elapsed().toMillis() + " ms or more",
                Text.frames(step.stack())));
    }

    @Override
    public void onComplete(ProcessExit exit) {
        Throwable reason = exit.reason();
        if (exit.kind() == ProcessExit.Kind.FAILED && reason != null) {
            failures.add(() -> new Incident(Instant.now(), exit.pid(), Text.describe(reason), frames(reason)));
        }
    }

    private static List<String> frames(Throwable reason) {
        try {
            return Text.frames(List.of(reason.getStackTrace()));
        } catch (Throwable broken) {
            return List.of("its stack cannot be read");
        }
    }

    @Override
    public void onDeadLetter(DeadLetter letter) {
        Envelope envelope = letter.envelope();
        deadLetters.add(() -> {
            var details = new ArrayList<String>();
            details.add("payload " + Text.describe(envelope.payload()));
            details.add(envelope.sender() == null ? "from outside" : "from " + envelope.sender());
            return new Incident(
                    Instant.now(),
                    envelope.target(),
                    letter.reason() + ": message \"" + Text.shortened(envelope.topic()) + '"',
                    details);
        });
    }

    /** Returns the latest steps that held a worker for too long, newest first. */
    public List<Incident> slowSteps() {
        return slowSteps.latest();
    }

    /** Returns the latest processes that threw, newest first. */
    public List<Incident> failures() {
        return failures.latest();
    }

    /** Returns the latest messages that nobody got, newest first. */
    public List<Incident> deadLetters() {
        return deadLetters.latest();
    }

    /** Returns how many steps held a worker for too long. */
    public long slowStepCount() {
        return slowSteps.count();
    }

    /** Returns how many processes threw. */
    public long failureCount() {
        return failures.count();
    }

    /** Returns how many messages nobody got. */
    public long deadLetterCount() {
        return deadLetters.count();
    }
}
