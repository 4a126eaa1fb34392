// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.StepHarness;
import dev.treadle.StepHarness.Written;
import dev.treadle.simulation.replay.Entry.Begin;
import dev.treadle.simulation.replay.Entry.CloseBegin;
import dev.treadle.simulation.replay.Entry.Deed;
import dev.treadle.simulation.replay.Entry.StepBegin;
import dev.treadle.simulation.replay.Entry.StepEnd;
import dev.treadle.simulation.replay.Entry.Threw;
import dev.treadle.simulation.replay.Entry.Yield;
import dev.treadle.simulation.replay.Script.Noted;
import dev.treadle.simulation.replay.Script.Phase;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** One run of a replay: calls the process phase by phase, and compares what it does with the script. */
final class ReplayRun {
    private static final int BEFORE_SHOWN = 5;
    private static final int NOTES_MAX = 20;
    private static final int VALUE_BYTES_MAX = 1 << 28;

    private final Begin begin;
    private final Process process;
    private final Script script;
    private final ValueBuilder builder;
    private final EntryComparison comparison;
    private final EntryFormat format;
    private final ReplayEvents events;
    private final ReplayContext context;
    private final LongConsumer beforeStep;

    private final Set<String> notes = new LinkedHashSet<>();
    private final Deque<String> before = new ArrayDeque<>();
    private @Nullable Divergence divergence;
    private @Nullable String stuck;

    /** Whether the process did something after the last that was recorded. */
    private boolean ended;

    private Phase phase;
    private int position;
    private long eventsDone;
    private long stepsDone;

    ReplayRun(
            RecordedLife life,
            Process process,
            TypeFilter filter,
            List<PayloadCodec> codecs,
            Map<Class<?>, Object> services,
            LongConsumer beforeStep) {
        this.begin = Objects.requireNonNull(life.begin());
        this.process = process;
        this.beforeStep = beforeStep;
        this.script = new Script(life.entries());
        ClassLoader loader = process.getClass().getClassLoader();
        this.builder = new ValueBuilder(
                filter, codecs, loader == null ? ClassLoader.getSystemClassLoader() : loader, this::noteAtEvent);
        this.comparison = new EntryComparison(
                new ValueComparison(new ValueBuilder(filter, codecs, builder.loader(), problem -> {})));
        this.format = new EntryFormat(new ValueWriter(codecs, VALUE_BYTES_MAX));
        this.events = new ReplayEvents(begin.pid(), builder);
        this.phase = new Phase(begin);
        this.context = new ReplayContext(this, begin, builder, services);
    }

    /** Unwinds the code of the process when there is nothing more to learn. */
    static final class Stop extends Error {
        private static final long serialVersionUID = 1L;

        Stop() {
            super("the replay has ended here: see its report", null, false, false);
        }
    }

    ReplayReport run() {
        if (!begin.type().equals(process.getClass().getName())) {
            note("a " + begin.type() + " was recorded, a " + process.getClass().getName() + " is run");
        }
        try {
            for (Phase next : script.phases) {
                phase = next;
                position = 0;
                run(next);
                if (isOver()) {
                    break;
                }
            }
        } finally {
            context.close();
        }
        if (script.cut != null && !isOver()) {
            note("the recording goes on, but the replay cannot: " + script.cut);
        }
        String what = begin.pid() + " " + begin.type() + ", " + begin.method() + ", recorded " + begin.at();
        return new ReplayReport(what, eventsDone, stepsDone, divergence, stuck, List.copyOf(notes));
    }

    private boolean isOver() {
        return divergence != null || stuck != null;
    }

    private void run(Phase phase) {
        Written written = null;
        Throwable thrown = null;
        try {
            if (phase.begin instanceof Begin) {
                Payloads input = events.input(begin);
                process.init(context, begin.method(), input);
            } else if (phase.begin instanceof StepBegin step) {
                written = step(phase, step);
            } else {
                process.close();
            }
        } catch (Stop stop) {
            return;
        } catch (Throwable t) {
            thrown = t;
        }
        if (isOver() || ended) {
            return; // the process caught the stop
        }
        if (phase.end == null) {
            note("the recording ends within " + place() + ", which had not returned");
        } else if (thrown != null) {
            compareThrown(phase, thrown);
        } else {
            compareEnd(phase, written);
        }
        eventsDone += phase.events.size();
        stepsDone += phase.begin instanceof StepBegin ? 1 : 0;
        rememberEvents(phase);
    }

    private Written step(Phase phase, StepBegin step) throws Exception {
        beforeStep.accept(step.step());
        var made = new ArrayList<Event>();
        for (int i = 0; i < phase.events.size(); i++) {
            position = i + 1; // for notes about what cannot be made
            Event event = events.make(phase.events.get(i));
            if (event instanceof Message message && message.isRequest()) {
                context.requested(message, step.firstEvent() + i);
            }
            made.add(event);
        }
        position = 0;
        Event[] all = made.toArray(new Event[0]);
        return StepHarness.step(process, stepsDone == 0 ? Events.ofFirst(all) : Events.of(all), at -> position = at);
    }

    private void rememberEvents(Phase phase) {
        for (int i = 0; i < phase.events.size(); i++) {
            remember(phase, i);
        }
    }

    private void remember(Phase phase, int index) {
        before.add("#" + numberOf(phase, index) + " " + EntryText.of(phase.events.get(index)));
        if (before.size() > BEFORE_SHOWN) {
            before.remove();
        }
    }

    private static long numberOf(Phase phase, int index) {
        return phase.begin instanceof StepBegin step ? step.firstEvent() + index : 0;
    }

    // What the process does.

    /** The process does something through its context: returns what was recorded in its place, or stops. */
    Deed deed(Deed done) {
        checkOpen();
        Deed actual = (Deed) asRead(done);
        Noted expected = phase.deeds.poll();
        if (expected == null) {
            if (phase.end == null) {
                ended = true; // whoever recorded was killed here, or the disk was full: no fault of the code
                note("the recording ends within " + place());
                throw new Stop();
            }
            throw differ(position, outcome(phase), EntryText.of(actual), null);
        }
        if (!comparison.same(expected.deed(), actual)) {
            String was = EntryText.of(expected.deed());
            String is = EntryText.of(actual);
            if (expected.position() < position) {
                throw differ(expected.position(), was, "nothing of the kind; at a later event: " + is, null);
            } else if (position < expected.position()) {
                throw differ(position, "nothing of the kind; at a later event: " + was, is, null);
            }
            throw differ(position, was, is, null);
        }
        return expected.deed();
    }

    /** The process asks something: returns what it was told, or null if it did not ask that often. */
    Entry.@Nullable Answer answer(Question question) {
        checkOpen();
        Deque<Entry.Answer> answers = phase.answers.get(question);
        Entry.Answer answer = answers == null ? null : answers.poll();
        if (answer == null) {
            note(question.call + " is called more often than it was: in " + place() + " for the first time");
        }
        return answer;
    }

    private void checkOpen() {
        if (isOver() || ended) {
            throw new Stop();
        }
    }

    private void compareThrown(Phase phase, Throwable thrown) {
        Entry actual = asRead(new Threw(thrown));
        if (!phase.deeds.isEmpty() || !(phase.end instanceof Threw) || !comparison.same(phase.end, actual)) {
            Noted missing = phase.deeds.peek();
            String expected = missing == null ? outcome(phase) : EntryText.of(missing.deed());
            differ(position, expected, EntryText.of(actual), thrown);
        }
    }

    private void compareEnd(Phase phase, @Nullable Written written) {
        Noted missing = phase.deeds.peek();
        String end = written == null ? "returned" : EntryText.of(endOf(written));
        if (missing != null) {
            differ(missing.position(), EntryText.of(missing.deed()), "nothing of the kind: " + end, null);
        } else if (phase.end instanceof Threw) {
            differ(phase.events.size(), EntryText.of(phase.end), end, null);
        } else if (written != null) {
            compareWritten(phase, written);
        }
    }

    private void compareWritten(Phase phase, Written written) {
        for (int i = 0; i < Math.max(phase.yields.size(), written.yields().size()); i++) {
            Yield expected = i < phase.yields.size() ? phase.yields.get(i) : null;
            StepHarness.Yielded yielded =
                    i < written.yields().size() ? written.yields().get(i) : null;
            if (yielded == null) {
                differ(
                        phase.events.size(),
                        EntryText.of(Objects.requireNonNull(expected)),
                        "nothing of the kind: " + EntryText.of(endOf(written)),
                        null);
                return;
            }
            Entry actual = asRead(new Yield(yielded.command(), yielded.tag(), yielded.timeoutNanos()));
            if (expected == null || !comparison.same(expected, actual)) {
                String recorded = expected == null ? outcome(phase) : EntryText.of(expected);
                differ(yielded.position(), recorded, EntryText.of(actual), null);
                return;
            }
        }
        Entry end = endOf(written);
        if (!comparison.same(Objects.requireNonNull(phase.end), end)) {
            differ(written.position(), EntryText.of(phase.end), EntryText.of(end), null);
        }
    }

    private Entry endOf(Written written) {
        StepHarness.Successor next = written.successor();
        return asRead(
                next == null
                        ? new StepEnd(written.next(), written.result(), null, null, null, false)
                        : new StepEnd(
                                written.next(),
                                null,
                                RecordingProcess.typeOf(next.process()),
                                next.method(),
                                next.input(),
                                next.keepsYields()));
    }

    /** What the phase came to after its deeds. */
    private static String outcome(Phase phase) {
        if (!phase.yields.isEmpty()) {
            return "nothing of the kind: " + EntryText.of(phase.yields.get(0));
        }
        return phase.end == null ? "nothing" : "nothing of the kind: " + EntryText.of(phase.end);
    }

    /** Writes an entry and reads it again: as it would be if it had been recorded now. */
    private Entry asRead(Entry entry) {
        var out = new ByteOutput();
        format.write(out, entry);
        try {
            return EntryFormat.read(new ByteInput(out.toBytes()));
        } catch (FormatException e) {
            throw new IllegalStateException("what was written cannot be read: " + entry, e);
        }
    }

    // What is told.

    private Stop differ(int at, String expected, String actual, @Nullable Throwable thrown) {
        int index = Math.min(at, phase.events.size()) - 1;
        for (int i = 0; i < index; i++) {
            remember(phase, i);
        }
        long event = index >= 0 ? numberOf(phase, index) : numberOf(phase, 0) - 1;
        String where = index >= 0
                ? "event " + event + " (" + place() + "): " + EntryText.of(phase.events.get(index))
                : place() + (phase.events.isEmpty() ? "" : ", before it looks at event " + numberOf(phase, 0));
        long step =
                phase.begin instanceof StepBegin begin ? begin.step() : phase.begin instanceof Begin ? 0 : stepsDone;
        divergence = new Divergence(Math.max(0, event), step, where, expected, actual, List.copyOf(before), thrown);
        return new Stop();
    }

    /** The code needs what the recording does not have. */
    Stop stop(String why) {
        if (!isOver()) {
            stuck = why;
        }
        return new Stop();
    }

    private String place() {
        if (phase.begin instanceof StepBegin step) {
            return "step " + step.step();
        }
        return phase.begin instanceof CloseBegin ? "close" : "init";
    }

    void note(String note) {
        if (notes.size() < NOTES_MAX) {
            notes.add(note);
        }
    }

    private void noteAtEvent(String problem) {
        note((position == 0 ? place() : "event " + numberOf(phase, position - 1)) + ": " + problem);
    }
}
