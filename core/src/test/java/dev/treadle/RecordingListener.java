// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down all that a scheduler tells. */
final class RecordingListener implements SchedulerListener {
    final List<ProcessInfo> starts = new CopyOnWriteArrayList<>();
    final List<ProcessExit> exits = new CopyOnWriteArrayList<>();
    final List<DeadLetter> deadLetters = new CopyOnWriteArrayList<>();
    final List<SlowStep> slowSteps = new CopyOnWriteArrayList<>();

    @Override
    public void onStart(ProcessInfo process) {
        starts.add(process);
    }

    @Override
    public void onComplete(ProcessExit exit) {
        exits.add(exit);
    }

    @Override
    public void onDeadLetter(DeadLetter letter) {
        deadLetters.add(letter);
    }

    @Override
    public void onSlowStep(SlowStep step) {
        slowSteps.add(step);
    }
}
