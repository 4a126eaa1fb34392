// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

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
import dev.treadle.StepOutput;
import dev.treadle.command.Sleep;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A source, a stage and a slow sink. Each sends only what the next one has asked for, so the slowest sets the pace, and what
 * is under way has a bound however long the source is.
 *
 * <pre>
 *           "more" n            "more" n
 *   Source &lt;--------- Stage &lt;--------- Sink
 *          ---------&gt;       ---------&gt;
 *           "item", "end"       "item", "end"
 * </pre>
 *
 * <p>{@code send} never waits. A sender that does not count on its own would fill the mailbox of a slow receiver, and then
 * get {@code MAILBOX_FULL}: this is how to count.
 */
public final class Pipeline {
    private static final String MORE = "more";
    private static final String ITEM = "item";
    private static final String END = "end";

    private Pipeline() {}

    /** Has the items, and sends as many as it is asked for. */
    static final class Source implements Process {
        private final Iterator<String> items;
        private ProcessContext context;

        Source(Iterator<String> items) {
            this.items = items;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message && message.topic().equals(MORE)) {
                    send(message.sender(), message.payload(Integer.class), out);
                }
            }
        }

        private void send(@Nullable Pid downstream, int count, StepOutput out) {
            if (downstream == null) {
                throw new IllegalArgumentException("\"more\" came from outside, must come from a process: submit one");
            }
            for (int i = 0; i < count && items.hasNext(); i++) {
                context.send(downstream, ITEM, items.next());
            }
            if (!items.hasNext()) {
                context.send(downstream, END, null); // after the items: from one sender all arrives in order
                out.done(); // a "more" that still comes is a dead letter, and harms nobody
            }
        }
    }

    /** Changes each item. It asks for as much as it was asked for. */
    static final class Stage implements Process {
        private final Pid upstream;
        private final UnaryOperator<String> change;
        private ProcessContext context;
        private @Nullable Pid downstream;

        Stage(Pid upstream, UnaryOperator<String> change) {
            this.upstream = upstream;
            this.change = change;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message) {
                    receive(message, out);
                }
            }
        }

        private void receive(Message message, StepOutput out) {
            if (message.topic().equals(MORE)) {
                downstream = message.sender();
                context.send(upstream, MORE, message.payload());
            } else if (downstream != null && message.topic().equals(ITEM)) {
                context.send(downstream, ITEM, change.apply(message.payload(String.class)));
            } else if (downstream != null && message.topic().equals(END)) {
                context.send(downstream, END, null);
                out.done();
            }
        }
    }

    /** Takes its time for each item. Its result is all of them. */
    static final class Sink implements Process {
        private final Pid upstream;
        private final int window;
        private final Duration workTime;
        private final Queue<String> waiting = new ArrayDeque<>();
        private final List<String> finished = new ArrayList<>();
        private ProcessContext context;
        private boolean working;
        private boolean ended;

        /**
         * Makes a sink.
         *
         * @param window how many items may be under way to it
         * @param workTime how long it takes for one
         */
        Sink(Pid upstream, int window, Duration workTime) {
            this.upstream = upstream;
            this.window = window;
            this.workTime = workTime;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            if (events.isFirst()) {
                context.send(upstream, MORE, window);
            }
            for (Event event : events) {
                if (event instanceof Message message && message.topic().equals(ITEM)) {
                    waiting.add(message.payload(String.class));
                } else if (event instanceof Message message && message.topic().equals(END)) {
                    ended = true;
                } else if (event instanceof Completion) {
                    working = false;
                    finished.add(waiting.remove());
                    context.send(upstream, MORE, 1); // there is room for another
                }
            }
            if (!working && !waiting.isEmpty()) {
                working = true;
                out.yield(new Sleep(workTime), 1); // stands for a write to a database
            }
            out.idle(); // not blocked: items may come while one is worked on
            if (ended && waiting.isEmpty()) {
                out.done(List.copyOf(finished));
            }
        }
    }

    /** Starts a pipeline. Its result is a list of what came out at the end. */
    static ProcessRef start(
            Scheduler scheduler, Iterator<String> items, UnaryOperator<String> change, int window, Duration workTime) {
        ProcessRef source = scheduler.submit(new Source(items), "main");
        ProcessRef stage = scheduler.submit(new Stage(source.pid(), change), "main");
        return scheduler.submit(new Sink(stage.pid(), window, workTime), "main");
    }

    /** Sends a hundred items through, of which at most eight are under way. */
    public static void main(String[] args) throws Exception {
        try (Scheduler scheduler = Scheduler.builder().start()) {
            Iterator<String> items = IntStream.range(0, 100)
                    .mapToObj(i -> {
                        System.out.println("source: " + i);
                        return "item " + i;
                    })
                    .iterator();
            UnaryOperator<String> change = item -> item + "!";
            System.out.println(start(scheduler, items, change, 8, Duration.ofMillis(10))
                    .result()
                    .get());
        }
    }
}
