// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.StepHarness.Next;
import dev.treadle.StepHarness.Written;
import dev.treadle.command.Sleep;
import dev.treadle.relay.Envelope;
import dev.treadle.relay.ReplyTo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StepHarnessTest {
    private static final Sleep SLEEP = new Sleep(Duration.ofSeconds(1));

    @Test
    void whenAStepIsRun_thenItTellsWhatWasWrittenAndAtWhichEvent() throws Exception {
        Process process = Process.of((events, out) -> {
            out.yield(SLEEP, 1);
            for (Event event : events) {
                Message message = (Message) event;
                if (message.topic().equals("sleep")) {
                    out.yield(SLEEP, 2, Duration.ofMillis(3));
                } else if (message.topic().equals("end")) {
                    out.done("bye");
                }
            }
        });
        var positions = new ArrayList<Integer>();

        Written written = StepHarness.step(
                process,
                Events.of(
                        Message.of("", null), Message.of("sleep", null), Message.of("end", null), Message.of("", null)),
                positions::add);

        assertThat(positions).containsExactly(1, 2, 3, 4);
        assertThat(written.yields())
                .containsExactly(
                        new StepHarness.Yielded(SLEEP, 1, 0, 0), new StepHarness.Yielded(SLEEP, 2, 3_000_000, 2));
        assertThat(written.next()).isEqualTo(Next.DONE);
        assertThat(written.result()).isEqualTo("bye");
        assertThat(written.position()).isEqualTo(3);
        assertThat(written.successor()).isNull();
    }

    @Test
    void whenAStepSaysNothing_thenTheDefaultIsTold() throws Exception {
        assertThat(StepHarness.step(Process.of((events, out) -> {}), Events.of(), at -> {})
                        .next())
                .isEqualTo(Next.IDLE);
        assertThat(StepHarness.step(Process.of((events, out) -> out.yield(SLEEP, 7)), Events.of(), at -> {})
                        .next())
                .isEqualTo(Next.AWAIT);
    }

    @Test
    void whenAStepThrows_thenTheCallerGetsItAndTheOutputIsSealed() {
        var kept = new ArrayList<StepOutput>();
        Process process = Process.of((events, out) -> {
            kept.add(out);
            throw new IllegalStateException("as asked");
        });

        assertThatThrownBy(() -> StepHarness.step(process, Events.of(), at -> {}))
                .hasMessage("as asked");
        assertThatThrownBy(kept.get(0)::idle).hasMessageContaining("outside of its step");
    }

    @Test
    void whenAWrapperLooksAtAStep_thenItSeesEventsAndOutputAndWhatIsCarriedDoesNotChange() throws Exception {
        var seen = new CompletableFuture<List<Object>>();
        class Wrapper implements Process {
            private ProcessContext context;

            @Override
            public void init(ProcessContext context, String method, Payloads input) {
                this.context = context;
            }

            @Override
            public void step(Events events, StepOutput out) {
                if (events.isEmpty()) {
                    return;
                }
                List<Event> looked = StepHarness.events(events);
                Object before = context.carried().get("trace");
                int at = StepHarness.position(events);
                events.get(0);
                out.upgrade(Process.of((e, o) -> {}), "next", 5);
                Written written = StepHarness.written(out);
                seen.complete(List.of(
                        looked.size(),
                        before,
                        at,
                        StepHarness.position(events),
                        context.carried().get("trace"),
                        written.next(),
                        written.successor().input().get(0),
                        written.position()));
            }
        }
        try (Scheduler scheduler = Scheduler.builder().workers(1).start()) {
            ProcessRef wrapper =
                    scheduler.submit(Submission.of(new Wrapper(), "main").attribute("trace", "own"));
            scheduler.send(new Envelope(wrapper.pid(), null, "go", null, Map.of("trace", "of message"), null));

            assertThat(seen.get(10, TimeUnit.SECONDS))
                    .containsExactly(1, "own", 0, 1, "of message", Next.UPGRADE, 5, StepHarness.UNKNOWN_POSITION);
        }
    }

    @Test
    void whenEventsAreMade_thenTheyCarryAttributesAndWantReplies() {
        var replies = new ArrayList<Object>();
        ReplyTo replyTo = new ReplyTo() {
            @Override
            public boolean reply(Object payload) {
                return replies.add(payload);
            }

            @Override
            public boolean replyError(Throwable error) {
                return replies.add(error);
            }
        };
        Pid self = Pid.of("main", 1);
        Pid sender = Pid.of("main", 2);

        Message plain = StepHarness.message(new Envelope(self, sender, "t", 1, Map.of("a", 2), null));
        Message request = StepHarness.message(new Envelope(self, sender, "t", 1, Map.of("a", 2), replyTo));
        Completion completion = StepHarness.completion(3, "data", null, Map.of("a", 2));

        assertThat(List.of(plain, request)).allSatisfy(message -> {
            assertThat(message.sender()).isEqualTo(sender);
            assertThat(message.topic()).isEqualTo("t");
            assertThat(message.payload()).isEqualTo(1);
            assertThat(message.attributes()).isEqualTo(Map.of("a", 2));
        });
        assertThat(plain.isRequest()).isFalse();
        assertThat(request.isRequest()).isTrue();
        assertThat(completion.attributes()).isEqualTo(Map.of("a", 2));
        assertThat(completion.data(String.class)).isEqualTo("data");
    }

    @Test
    void whenASubmissionIsWrapped_thenAllElseStays() {
        Process inner = Process.of((events, out) -> {});
        Process outer = Process.of((events, out) -> {});
        Submission submission =
                Submission.of(inner, "main", 1, 2).attribute("a", "b").mailboxCapacity(5);

        Submission wrapped = StepHarness.around(submission, process -> process == inner ? outer : process);

        assertThat(StepHarness.submitted(submission).process()).isSameAs(inner);
        assertThat(StepHarness.submitted(wrapped))
                .isEqualTo(new StepHarness.Submitted(outer, "main", Payloads.of(1, 2), Map.of("a", "b")));
        assertThat(wrapped.mailboxCapacityOr(9)).isEqualTo(5);
    }
}
