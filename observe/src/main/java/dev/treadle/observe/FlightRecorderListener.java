// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.DeadLetter;
import dev.treadle.ProcessExit;
import dev.treadle.ProcessInfo;
import dev.treadle.SchedulerListener;
import dev.treadle.SlowStep;
import java.time.Duration;

/**
 * Writes what happens in a scheduler to the JDK's flight recorder: {@code dev.treadle.SlowStep}, {@code
 * dev.treadle.DeadLetter}, {@code dev.treadle.ProcessStart}, {@code dev.treadle.ProcessEnd}, {@code dev.treadle.Park} and {@code
 * dev.treadle.StealBatch}. An event that is not recorded costs about half a nanosecond.
 *
 * <pre>{@code
 * builder.listener(new FlightRecorderListener());
 * }</pre>
 *
 * <p>Slow steps and dead letters are on in every recording; the others, of which there may be millions, have to be asked
 * for: {@code -XX:StartFlightRecording:+dev.treadle.ProcessStart#enabled=true,+dev.treadle.ProcessEnd#enabled=true}.
 */
public final class FlightRecorderListener implements SchedulerListener {
    /** Makes one; it can serve several schedulers. */
    public FlightRecorderListener() {}

    @Override
    public void onStart(ProcessInfo process) {
        var event = new RecordedEvents.ProcessStart();
        if (event.isEnabled()) {
            event.pid = process.pid().toString();
            event.processType = process.type();
            event.method = Text.shortened(process.method());
            event.parent = process.parent() == null ? null : process.parent().toString();
            event.commit();
        }
    }

    @Override
    public void onComplete(ProcessExit exit) {
        var event = new RecordedEvents.ProcessEnd();
        if (event.isEnabled()) {
            event.pid = exit.pid().toString();
            event.kind = exit.kind().name();
            event.reason = exit.reason() == null ? null : Text.describe(exit.reason());
            event.commit();
        }
    }

    @Override
    public void onDeadLetter(DeadLetter letter) {
        var event = new RecordedEvents.DeadLetter();
        if (event.isEnabled()) {
            event.target = letter.envelope().target().toString();
            event.sender = letter.envelope().sender() == null
                    ? null
                    : letter.envelope().sender().toString();
            event.topic = Text.shortened(letter.envelope().topic());
            event.reason = letter.reason().name();
            event.commit();
        }
    }

    @Override
    public void onPark(int worker, Duration slept) {
        var event = new RecordedEvents.Park();
        if (event.isEnabled()) {
            event.worker = worker;
            event.slept = slept.toNanos();
            event.commit();
        }
    }

    @Override
    public void onSteal(int worker, int processes) {
        var event = new RecordedEvents.StealBatch();
        if (event.isEnabled()) {
            event.worker = worker;
            event.processes = processes;
            event.commit();
        }
    }

    @Override
    public void onSlowStep(SlowStep step) {
        var event = new RecordedEvents.SlowStep();
        if (event.isEnabled()) {
            event.pid = step.pid().toString();
            event.worker = step.worker();
            event.elapsed = step.elapsed().toNanos();
            event.stack = String.join("\n", Text.frames(step.stack()));
            event.commit();
        }
    }
}
