// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

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
import dev.treadle.SteppedScheduler;
import dev.treadle.Submission;
import dev.treadle.relay.Envelope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A traced process does what it did before, and its events are remembered until it ends. */
class TracerTest {
    private final Tracer tracer = new Tracer();
    private final SteppedScheduler stepped = Scheduler.builder().workers(1).stepped();
    private final Scheduler scheduler = stepped.scheduler();
    private final List<String> life = new ArrayList<>();

    @AfterEach
    void close() {
        stepped.close();
    }

    private final class Worker implements Process {
        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            life.add("init " + method + input.size());
        }

        @Override
        public void step(Events events, StepOutput out) throws Exception {
            for (Event event : events) {
                life.add(event instanceof Message message ? message.topic() : "other");
                if (event instanceof Message message && message.topic().equals("fail")) {
                    throw new IOException("told to");
                }
            }
            out.idle();
        }

        @Override
        public void close() {
            life.add("close");
        }
    }

    @Test
    void itDoesWhatItDidAndTheNewestEventComesFirst() {
        ProcessRef ref = scheduler.submit(tracer.trace(new Worker()), "main", 1, 2);
        ref.send("first", 7);
        ref.send("second", "text");
        stepped.runAll();
        ref.cancel("enough");
        stepped.runAll();

        assertThat(life).containsExactly("init main2", "first", "second", "other");
        assertThat(tracer.events(ref.pid()))
                .extracting(Tracer.Seen::what, Tracer.Seen::detail)
                .containsExactly(
                        tuple("signal CANCEL", "enough"),
                        tuple("message \"second\"", "\"text\""),
                        tuple("message \"first\"", "7 (Integer)"));
    }

    @Test
    void aStepThatThrowsEndsItAsBeforeAndTheTraceEndsWithIt() {
        ProcessRef ref = scheduler.submit(tracer.trace(new Worker()), "main");
        stepped.runAll();
        assertThat(tracer.events(ref.pid())).isEmpty();
        ref.send("fail", null);
        stepped.runAll();

        assertThatThrownBy(() -> ref.result().getNow(null)).hasRootCauseMessage("told to");
        assertThat(life).containsExactly("init main0", "fail", "close");
        assertThat(tracer.events(ref.pid()))
                .as("nobody looks at the dead for ever")
                .isNull();
        assertThat(tracer.events(Pid.of("main", 99))).isNull();
    }

    @Test
    void whatGoesAlongIsNotChangedByLooking() {
        var carried = new ArrayList<Map<String, Object>>();
        Process sender = new Process() {
            private ProcessContext context;

            @Override
            public void init(ProcessContext context, String method, Payloads input) {
                this.context = context;
            }

            @Override
            public void step(Events events, StepOutput out) {
                if (!events.isEmpty()) {
                    carried.add(context.carried()); // before it looks at any event: its own
                }
                out.idle();
            }
        };
        ProcessRef ref =
                scheduler.submit(Submission.of(tracer.trace(sender), "main").attribute("trace", "own"));
        scheduler.send(Envelope.to(ref.pid(), "hello", null).withAttributes(Map.of("trace", "message")));
        stepped.runAll();

        assertThat(carried).containsExactly(Map.of("trace", "own"));
    }

    @Test
    void onlyTheLatestAreKept() {
        ProcessRef ref = scheduler.submit(tracer.trace(new Worker()), "main");
        for (int i = 0; i <= Tracer.EVENTS_MAX; i++) {
            ref.send("m" + i, null);
        }
        stepped.runAll();

        assertThat(tracer.events(ref.pid())).hasSize(Tracer.EVENTS_MAX);
        assertThat(tracer.events(ref.pid()).get(Tracer.EVENTS_MAX - 1).what()).isEqualTo("message \"m1\"");
    }

    @Test
    void completionsTellResultOrError() {
        assertThat(Tracer.seen(Completion.of(7, 42, null)).detail()).isEqualTo("42 (Integer)");
        assertThat(Tracer.seen(Completion.of(7, null, new IllegalStateException("no")))
                        .detail())
                .isEqualTo("failed: java.lang.IllegalStateException: no");
        assertThat(Tracer.seen(Completion.of(7, null, null)).what()).isEqualTo("completion of yield 7");
    }

    @Test
    void beyondTheBoundProcessesRunUntraced() {
        for (int i = 0; i < Tracer.PROCESSES_MAX; i++) {
            scheduler.submit(tracer.trace(Process.of((events, out) -> out.idle())), "main");
        }
        ProcessRef beyond = scheduler.submit(tracer.trace(new Worker()), "main");
        beyond.send("hello", null);
        stepped.runAll();

        assertThat(life).contains("hello");
        assertThat(tracer.events(beyond.pid())).isNull();
    }
}
