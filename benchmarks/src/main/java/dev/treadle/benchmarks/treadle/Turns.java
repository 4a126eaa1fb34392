// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.treadle;

import dev.treadle.Command;
import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.Scheduler;
import dev.treadle.StepOutput;
import dev.treadle.benchmarks.Check;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Sleeps;
import dev.treadle.benchmarks.Tally;
import dev.treadle.command.Sleep;
import java.time.Duration;

/** Turns without messages: command-sync, command-async, yield-many, timers. */
final class Turns {
    private Turns() {}

    static void commands(Scheduler scheduler, Command command, int commands) throws InterruptedException {
        int each = Shape.share(commands, Shape.COMMANDERS);
        var tally = new Tally(Shape.COMMANDERS);
        TreadlePeer.start(scheduler, Shape.COMMANDERS, i -> new Commander(command, each, tally));
        tally.check("answers", commands);
    }

    static void yieldMany(Scheduler scheduler, int turns) throws InterruptedException {
        int each = Shape.share(turns, Shape.YIELDERS);
        var tally = new Tally(Shape.YIELDERS);
        TreadlePeer.start(scheduler, Shape.YIELDERS, i -> new Yielder(each, tally));
        tally.check("turns", turns);
    }

    static void timers(Scheduler scheduler, int count, Sleeps sleeps) {
        TreadlePeer.start(scheduler, count, i -> new Sleeper(i, sleeps));
    }

    private static final class Commander implements Process {
        private final Command command;
        private final int count;
        private final Tally tally;
        private int answers;

        Commander(Command command, int count, Tally tally) {
            this.command = command;
            this.count = count;
            this.tally = tally;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Completion completion && TreadlePeer.ANSWER.equals(completion.data())) {
                    Check.same("tag", answers++, completion.tag());
                }
            }
            if (answers < count) {
                out.yield(command, answers);
            } else {
                tally.done(answers);
                out.done();
            }
        }
    }

    private static final class Yielder implements Process {
        private final int count;
        private final Tally tally;
        private int turns;

        Yielder(int count, Tally tally) {
            this.count = count;
            this.tally = tally;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            if (++turns < count) {
                out.again();
            } else {
                tally.done(turns);
                out.done();
            }
        }
    }

    private static final class Sleeper implements Process {
        private final int id;
        private final Sleeps sleeps;

        Sleeper(int id, Sleeps sleeps) {
            this.id = id;
            this.sleeps = sleeps;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            if (events.isEmpty()) {
                out.yield(new Sleep(Duration.ofMillis(sleeps.start(id))), id);
            } else {
                sleeps.end(id);
                out.done();
            }
        }
    }
}
