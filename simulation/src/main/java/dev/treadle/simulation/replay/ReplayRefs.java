// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import dev.treadle.SchedulerBuilder;
import dev.treadle.SteppedScheduler;
import dev.treadle.Submission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Makes references to processes that only their parent's recording knows of: to one that takes messages and does nothing. */
final class ReplayRefs implements AutoCloseable {
    private final List<SteppedScheduler> schedulers = new ArrayList<>();

    /** Each has a scheduler to itself, without threads: so it can have any address. */
    ProcessRef to(Pid pid) {
        boolean chosen = pid.id() >= Submission.CHOSEN_ID_MIN;
        SchedulerBuilder builder =
                Scheduler.builder().name(pid.host()).workers(1).seed(0);
        SteppedScheduler stepped = (chosen ? builder : builder.firstId(pid.id())).stepped();
        schedulers.add(stepped);
        Submission nobody = Submission.of(Process.of((events, out) -> {}), "main");
        return stepped.scheduler().submit(chosen ? nobody.id(pid.id()) : nobody);
    }

    @Override
    public void close() {
        schedulers.forEach(stepped -> stepped.scheduler().shutdown(Duration.ZERO));
    }
}
