// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Makes processes and schedulers for the stress tests: real ones, without threads. */
final class Cells {
    /** For cells of which no scheduler needs to know. */
    static final Scheduler SCHEDULER = Scheduler.builder().workers(1).stepped().scheduler();

    private Cells() {}

    /** An unborn process. */
    static ProcessCell make() {
        return make(1);
    }

    static ProcessCell make(long id) {
        return new ProcessCell(SCHEDULER, id, Submission.of(new First(), "first"), null, 0);
    }

    /** A process that is ready, and in the hands of the caller. */
    static ProcessCell makeOpen(String method, @Nullable ProcessCell parent) {
        return makeOpen(SCHEDULER, method, parent);
    }

    static ProcessCell makeOpen(Scheduler scheduler, String method, @Nullable ProcessCell parent) {
        var cell = new ProcessCell(scheduler, 1, Submission.of(new First(), method), parent, 0);
        if (!cell.open()) {
            throw new IllegalStateException("cannot be opened");
        }
        return cell;
    }

    /** A scheduler without threads, that counts how often it would have unparked one. */
    static Scheduler schedulerWith(int workers, AtomicInteger unparks) {
        return Scheduler.builder()
                .workers(workers)
                .parkers(() -> new CountingParker(unparks))
                .stepped()
                .scheduler();
    }

    private record CountingParker(AtomicInteger unparks) implements Parker {
        @Override
        public void park() {
            throw new IllegalStateException("no worker has a thread here");
        }

        @Override
        public void unpark() {
            unparks.incrementAndGet();
        }
    }

    /** A process that does nothing. */
    static final class First implements Process {
        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {}
    }

    /** Another one. */
    static final class Second implements Process {
        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {}
    }
}
