// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import dev.treadle.Command;
import dev.treadle.CommandRegistry;
import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Works through many records, a few at a time, and says how far it is. Work on a record may block and may fail; one that
 * fails is counted and does not end the job. A cancel ends it early, with the figures so far.
 */
public final class BatchJob implements Process {
    /** The work on one record. The tag of its completion is its number. */
    record Convert(int number) implements Command {}

    /** How far a job is: sent to whoever watches it, and its result. */
    record Progress(int done, int failed, int total) {
        int percent() {
            return total == 0 ? 100 : (int) (100L * (done + failed) / total);
        }
    }

    private final int total;
    private final int atOnce;
    private final Pid watcher;
    private ProcessContext context;
    private int started;
    private int done;
    private int failed;

    /**
     * Makes a job.
     *
     * @param total how many records there are
     * @param atOnce how many are worked on at once
     * @param watcher gets a "progress" message for each record
     */
    BatchJob(int total, int atOnce, Pid watcher) {
        this.total = total;
        this.atOnce = atOnce;
        this.watcher = watcher;
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        this.context = context;
    }

    @Override
    public void step(Events events, StepOutput out) {
        for (Event event : events) {
            if (event instanceof Completion completion) {
                finished(completion);
            }
        }
        while (started < total && inFlight() < atOnce && !context.isCancelled()) {
            out.yield(new Convert(started), started);
            started++;
        }
        if (inFlight() == 0) {
            out.done(progress());
        }
    }

    private void finished(Completion completion) {
        if (completion.isFailed()) {
            failed++; // a real job would keep completion.tag() and completion.error() for its report
        } else {
            done++;
        }
        context.send(watcher, "progress", progress());
    }

    private int inFlight() {
        return started - done - failed;
    }

    private Progress progress() {
        return new Progress(done, failed, total);
    }

    /** Shows the progress of a job as a bar, drawn again only when the percentage has changed. */
    static final class ProgressBar implements Process {
        private static final int WIDTH = 40;

        private final Consumer<String> screen;
        private int percentShown = -1;

        /** Takes what shows the bar; it must not block for long, since it is called in a step. */
        ProgressBar(Consumer<String> screen) {
            this.screen = screen;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            Progress latest = null; // of those that came since the last step
            for (Event event : events) {
                if (event instanceof Message message) {
                    latest = message.payload(Progress.class);
                } else if (event instanceof Signal signal && signal.isCancel()) {
                    out.done();
                }
            }
            if (latest != null && latest.percent() != percentShown) {
                percentShown = latest.percent();
                screen.accept(draw(latest));
            }
        }

        static String draw(Progress progress) {
            int filled = WIDTH * progress.percent() / 100;
            return String.format(
                    Locale.ROOT,
                    "[%s%s] %3d %%, %,d of %,d, %d failed",
                    "#".repeat(filled),
                    ".".repeat(WIDTH - filled),
                    progress.percent(),
                    progress.done() + progress.failed(),
                    progress.total(),
                    progress.failed());
        }
    }

    /** Converts a thousand records that take a few milliseconds each; every 250th is broken. */
    public static void main(String[] args) throws Exception {
        var registry = new CommandRegistry().registerBlocking(Convert.class, 16, convert -> {
            Thread.sleep(20); // stands for a library that blocks
            if (convert.number() % 250 == 249) {
                throw new IllegalArgumentException("record " + convert.number() + " is broken");
            }
            return null;
        });
        try (Scheduler scheduler = Scheduler.builder().handlers(registry).start()) {
            ProcessRef bar = scheduler.submit(new ProgressBar(text -> System.out.print("\r" + text)), "main");
            ProcessRef job = scheduler.submit(new BatchJob(1_000, 16, bar.pid()), "main");
            Object result = job.result().get();
            bar.cancel("the job is done");
            bar.result().get();
            System.out.println("\n" + result);
        }
    }
}
