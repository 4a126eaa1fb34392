// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.Signal;
import dev.treadle.StepHarness;
import dev.treadle.StepHarness.Successor;
import dev.treadle.StepHarness.Written;
import dev.treadle.StepOutput;
import dev.treadle.node.Upgradable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Stands around a process, and notes what goes in and what comes out. */
class RecordingProcess implements Process {
    private final Recorder recorder;
    private final Process process;

    /** Null until init, and for a process that was not chosen. */
    private @Nullable LifeLog log;

    private @Nullable RecordingContext context;

    private RecordingProcess(Recorder recorder, Process process) {
        this.recorder = recorder;
        this.process = process;
    }

    static Process around(Recorder recorder, Process process) {
        if (process instanceof RecordingProcess) {
            return process;
        }
        return process instanceof Upgradable upgradable
                ? new OfUpgradable(recorder, process, upgradable)
                : new RecordingProcess(recorder, process);
    }

    /** The class of a process, of one that is recorded too. */
    static String typeOf(Process process) {
        return (process instanceof RecordingProcess recorded ? recorded.process : process)
                .getClass()
                .getName();
    }

    /** A node asks a process whether it can hand over its state by its type. */
    private static final class OfUpgradable extends RecordingProcess implements Upgradable {
        private final Upgradable upgradable;

        OfUpgradable(Recorder recorder, Process process, Upgradable upgradable) {
            super(recorder, process);
            this.upgradable = upgradable;
        }

        @Override
        public Payloads handOver() {
            return upgradable.handOver();
        }
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) throws Exception {
        if (!recorder.chooses(context, method, input)) {
            process.init(context, method, input);
            return;
        }
        LifeLog log = recorder.newLife();
        var own = new RecordingContext(recorder, context, log);
        this.log = log;
        this.context = own;
        if (!log.enter()) {
            throw new AssertionError("a new log is in use");
        }
        log.add(new Entry.Begin(
                context.self(),
                context.parent(),
                process.getClass().getName(),
                method,
                input.asList(),
                context.attributes(),
                Instant.now()));
        run(log, () -> process.init(own, method, input));
    }

    @Override
    public void step(Events events, StepOutput out) throws Exception {
        LifeLog log = this.log;
        RecordingContext context = this.context;
        if (log == null || context == null || recorder.isClosed() || !log.enter()) {
            process.step(events, out);
            return;
        }
        log.beginStep(context.self(), events.size());
        for (Event event : StepHarness.events(events)) {
            long number = log.nextEvent();
            if (event instanceof Message message && message.isRequest()) {
                context.requested(message, number);
            }
            log.add(received(event));
        }
        log.handOver(); // so that a step which never returns has its events on record
        log.current(events);
        try {
            process.step(events, out);
        } catch (Throwable thrown) {
            log.add(new Entry.Threw(thrown));
            log.leave();
            throw thrown;
        }
        noteWritten(log, out);
        log.leave();
    }

    private void noteWritten(LifeLog log, StepOutput out) {
        Written written = StepHarness.written(out);
        for (StepHarness.Yielded yield : written.yields()) {
            log.add(new Entry.Yield(yield.command(), yield.tag(), yield.timeoutNanos()));
        }
        Successor successor = written.successor();
        if (successor == null) {
            log.add(new Entry.StepEnd(written.next(), written.result(), null, null, null, false));
            return;
        }
        log.add(new Entry.StepEnd(
                written.next(),
                null,
                typeOf(successor.process()),
                successor.method(),
                successor.input(),
                successor.keepsYields()));
        Process next = recorder.recording(successor.process());
        Object[] input = successor.input().asList().toArray();
        if (successor.keepsYields()) {
            out.upgradeKeepingYields(next, successor.method(), input);
        } else {
            out.upgrade(next, successor.method(), input);
        }
    }

    @Override
    public void close() throws Exception {
        LifeLog log = this.log;
        if (log == null || recorder.isClosed() || !log.enter()) {
            process.close();
            return;
        }
        log.add(new Entry.CloseBegin());
        run(log, process::close);
    }

    /** Code of the process's. */
    private interface Code {
        void run() throws Exception;
    }

    private static void run(LifeLog log, Code code) throws Exception {
        try {
            code.run();
        } catch (Throwable thrown) {
            log.add(new Entry.Threw(thrown));
            log.leave();
            throw thrown;
        }
        log.add(new Entry.Returned());
        log.leave();
    }

    private static Entry received(Event event) {
        if (event instanceof Message message) {
            return new Entry.MessageIn(
                    message.topic(), message.payload(), message.sender(), message.isRequest(), message.attributes());
        } else if (event instanceof Completion completion) {
            return new Entry.CompletionIn(
                    completion.tag(), completion.data(), completion.error(), completion.attributes());
        }
        Signal signal = (Signal) event;
        return new Entry.SignalIn(signal.kind(), signal.reason(), signal.from(), signal.exit(), signal.ref());
    }

    @Override
    public String toString() {
        return "recorded " + process;
    }
}
