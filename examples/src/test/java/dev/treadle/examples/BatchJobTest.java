// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.CommandRegistry;
import dev.treadle.ProcessRef;
import dev.treadle.ResultReceiver;
import dev.treadle.Scheduler;
import dev.treadle.SteppedScheduler;
import dev.treadle.examples.BatchJob.Convert;
import dev.treadle.examples.BatchJob.Progress;
import dev.treadle.examples.BatchJob.ProgressBar;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A job of ten records, three at once, whose work the test finishes by hand. */
class BatchJobTest {
    private final ArrayDeque<ResultReceiver> working = new ArrayDeque<>();
    private final List<String> screen = new ArrayList<>();
    private final SteppedScheduler stepped = Scheduler.builder()
            .workers(1)
            .handlers(new CommandRegistry().register(Convert.class, (convert, receiver) -> working.add(receiver)))
            .stepped();
    private final ProcessRef bar = stepped.scheduler().submit(new ProgressBar(screen::add), "main");
    private final ProcessRef job = stepped.scheduler().submit(new BatchJob(10, 3, bar.pid()), "main");

    @AfterEach
    void close() {
        stepped.close();
    }

    @Test
    void whenItIsRun_thenItPrintsABarAndTheResult() throws Exception {
        List<String> lines = Printed.by(BatchJob::main);

        assertThat(lines).last().isEqualTo("Progress[done=996, failed=4, total=1000]");
        assertThat(lines).anySatisfy(line -> assertThat(line).contains("########] 100 %, 1,000 of 1,000, 4 failed"));
    }

    @Test
    void whenItWorks_thenNoMoreThanSoManyAreUnderWay() {
        for (int finished = 0; finished < 7; finished++) {
            stepped.runAll();
            assertThat(working).as("after %d", finished).hasSize(3);
            working.remove().complete(null);
        }
    }

    @Test
    void whenSomeFail_thenTheOthersAreDoneAndTheResultSaysSo() throws Exception {
        finish(4, false);
        finish(6, true);

        assertThat(job.result().get()).isEqualTo(new Progress(6, 4, 10));
        assertThat(screen).last().isEqualTo("[########################################] 100 %, 10 of 10, 4 failed");
    }

    @Test
    void whenItIsCancelled_thenWhatIsUnderWayIsWaitedForAndNoMoreIsBegun() throws Exception {
        finish(2, true);

        job.cancel("the test has seen enough");
        stepped.runAll();
        assertThat(job.result()).isNotDone();
        finish(3, true);

        assertThat(job.result().get()).isEqualTo(new Progress(5, 0, 10));
    }

    @Test
    void whenHalfIsDone_thenTheBarIsHalfFull() {
        assertThat(ProgressBar.draw(new Progress(4, 1, 10)))
                .isEqualTo("[####################....................]  50 %, 5 of 10, 1 failed");
    }

    private void finish(int count, boolean well) {
        for (int i = 0; i < count; i++) {
            stepped.runAll();
            if (well) {
                working.remove().complete(null);
            } else {
                working.remove().fail(new IllegalArgumentException("broken"));
            }
        }
        stepped.runAll();
    }
}
