// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.command.Ask;
import dev.treadle.command.Call;
import dev.treadle.relay.Envelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Attributes go along with every message, spawn, command and completion. */
class AttributesTest {
    private record Note(String text) implements Command {}

    /** Does with each event what it is told to. */
    private static final class Doing implements Process {
        private final TriConsumer onEvent;
        private ProcessContext context;

        Doing(TriConsumer onEvent) {
            this.onEvent = onEvent;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            out.idle();
            for (Event event : events) {
                onEvent.accept(context, event, out);
            }
        }
    }

    private interface TriConsumer {
        void accept(ProcessContext context, Event event, StepOutput out);
    }

    private static Submission with(Process process, Object... namesAndValues) {
        Submission submission = Submission.of(process, "main");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            submission = submission.attribute((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return submission;
    }

    @Nested
    class GivenNoBinding {
        private final List<String> log = new ArrayList<>();
        private final SteppedScheduler stepped = Scheduler.builder()
                .workers(1)
                .handlers(new CommandRegistry().register(Note.class, (note, receiver) -> {
                    log.add(note.text() + " " + sorted(receiver.attributes()));
                    receiver.complete(null);
                }))
                .stepped();
        private final Scheduler scheduler = stepped.scheduler();

        @AfterEach
        void close() {
            stepped.close();
        }

        @Test
        void aMessageCarriesWhatItsSenderDoes() {
            ProcessRef receiver = scheduler.submit(
                    new Doing(
                            (context, event, out) -> log.add(event.attributes().toString())),
                    "main");
            scheduler.submit(with(
                    new Doing((context, event, out) -> context.send(receiver.pid(), "hi", null)), "tenant", "acme"));
            scheduler.submit(with(new Doing((context, event, out) -> {}), "tenant", "other")
                    .message("start", null));
            ProcessRef sender = scheduler.submit(with(
                            new Doing((context, event, out) -> context.send(receiver.pid(), "hi", null)),
                            "tenant",
                            "acme")
                    .message("start", null));
            stepped.runAll();
            assertThat(sender.inspect()).isPresent();
            assertThat(log).containsExactly("{tenant=acme}");
        }

        /** A process that serves many passes on what each of them carries, with its own beneath. */
        @Test
        void whatAStepDoesCarriesWhatItsEventDoes() {
            ProcessRef last = scheduler.submit(
                    new Doing((context, event, out) -> log.add("last " + sorted(event.attributes()))), "main");
            ProcessRef middle = scheduler.submit(with(
                    new Doing((context, event, out) -> {
                        if (event instanceof Message message) {
                            context.send(last.pid(), "passed on", message.payload());
                            out.yield(new Note("note"), 1);
                            context.spawn(with(
                                            new Doing((child, first, its) ->
                                                    log.add("child " + sorted(child.attributes()))),
                                            "own",
                                            1)
                                    .message("start", null));
                        } else {
                            log.add("completion " + sorted(event.attributes()));
                            context.send(last.pid(), "after completion", null);
                        }
                    }),
                    "service",
                    "middle"));
            scheduler.send(Envelope.to(middle.pid(), "go", null).withAttributes(Map.of("trace", "t1")));
            scheduler.send(Envelope.to(middle.pid(), "go", null).withAttributes(Map.of("trace", "t2")));
            middle.send("go", null);
            stepped.runAll();
            for (String trace : List.of(", trace=t1", ", trace=t2", "")) {
                assertThat(log)
                        .contains(
                                "note {service=middle" + trace + "}",
                                "child {own=1, service=middle" + trace + "}",
                                "completion {service=middle" + trace + "}");
                assertThat(log.stream()
                                .filter(("last {service=middle" + trace + "}")::equals)
                                .count())
                        .isEqualTo(2);
            }
        }

        /** A number that can only be made smaller. */
        private record AtMost(int value) implements BoundingAttribute {
            @Override
            public Object bound(Object over) {
                return over instanceof AtMost other ? new AtMost(Math.min(value, other.value)) : this;
            }
        }

        @Test
        void oneThatBoundsIsNotWidenedByChildrenOrEvents() {
            var seen = new ArrayList<Object>();
            TriConsumer look =
                    (context, event, out) -> seen.add(context.attributes().get("limit"));
            Process parent = new Doing((context, event, out) -> {
                seen.add(context.carried().get("limit"));
                for (Object limit : List.of(new AtMost(9), new AtMost(1), "none")) {
                    context.spawn(with(new Doing(look), "limit", limit)).send("say", null);
                }
            });
            ProcessRef ref = scheduler.submit(with(parent, "limit", new AtMost(5)));
            Envelope envelope = Envelope.to(ref.pid(), "go", null);
            scheduler.send(envelope.withAttributes(Map.of("limit", new AtMost(7))));
            stepped.runAll();
            scheduler.send(envelope.withAttributes(Map.of("limit", new AtMost(3))));
            stepped.runAll();
            assertThat(seen)
                    .extracting(limit -> ((AtMost) limit).value())
                    .startsWith(5)
                    .containsExactlyInAnyOrder(5, 5, 1, 5, 3, 3, 1, 3);
        }

        @Test
        void aRequestAndItsReplyCarryThem() {
            ProcessRef server = scheduler.submit(
                    new Doing((context, event, out) -> {
                        if (event instanceof Message message) {
                            log.add("server " + event.attributes());
                            context.reply(message, null);
                        }
                    }),
                    "main");
            scheduler.submit(with(
                            new Doing((context, event, out) -> {
                                if (event instanceof Message) {
                                    out.yield(new Ask(server.pid(), "ask", null), 1, Duration.ofSeconds(1));
                                } else {
                                    log.add("asker " + event.attributes());
                                }
                            }),
                            "user",
                            "ada")
                    .message("start", null));
            stepped.runAll();
            assertThat(log).containsExactly("server {user=ada}", "asker {user=ada}");
        }

        @Test
        void initialMessagesAreThereBeforeTheFirstStep() {
            var sizes = new ArrayList<Integer>();
            Submission submission = Submission.of(Process.of((events, out) -> sizes.add(events.size())), "main")
                    .message("a", 1)
                    .message("b", 2);
            scheduler.submit(submission);
            stepped.runAll();
            assertThat(sizes).containsExactly(2);
        }

        private static String sorted(Map<String, Object> attributes) {
            return new java.util.TreeMap<>(attributes).toString();
        }
    }

    @Nested
    class GivenABinding {
        private final ThreadLocal<String> current = ThreadLocal.withInitial(() -> "nothing");
        private final ConcurrentLinkedQueue<String> log = new ConcurrentLinkedQueue<>();

        private AttributeBinding binding() {
            return attributes -> {
                String before = current.get();
                current.set(String.valueOf(attributes.get("trace")));
                return () -> current.set(before);
            };
        }

        private SchedulerBuilder builder() {
            return Scheduler.builder()
                    .workers(2)
                    .binding(binding())
                    .handlers(new CommandRegistry().register(Note.class, (note, receiver) -> {
                        log.add("handler " + current.get());
                        receiver.complete(null);
                    }));
        }

        private void note(String what) {
            log.add(what + " " + current.get());
        }

        private Process process() {
            return new Process() {
                @Override
                public void init(ProcessContext context, String method, Payloads input) {
                    note("init");
                }

                @Override
                public void step(Events events, StepOutput out) {
                    if (events.isEmpty()) {
                        note("step");
                        out.yield(new Note("x"), 1);
                        out.yield(new Call(() -> log.add("call " + current.get())), 2);
                        out.idle();
                    }
                    for (Event event : events) {
                        note(event instanceof Message ? "message" : "completion");
                    }
                }

                @Override
                public void close() {
                    note("close");
                }
            };
        }

        @Test
        void itIsInForceInAllCodeOfAProcess() {
            try (Scheduler scheduler = builder().start()) {
                ProcessRef process = scheduler.submit(with(process(), "trace", "t1"));
                Soon.until(
                        "both completions",
                        () -> log.stream().filter("completion t1"::equals).count() == 2);
                scheduler.send(Envelope.to(process.pid(), "hi", null).withAttributes(Map.of("trace", "t2")));
                process.send("hi", null);
                Soon.until("messages", () -> log.contains("message t2") && log.contains("message t1"));
                process.terminate();
                Soon.exitOf(process);
            }
            assertThat(log)
                    .contains("init t1", "step t1", "handler t1", "call t1", "close t1")
                    .hasSize(9);
            assertThat(current.get()).as("this thread, after submit").isEqualTo("nothing");
        }

        @Test
        void nothingStaysBoundWhenTheCodeHasReturned() {
            var seen = new ArrayList<String>();
            try (var stepped = builder().stepped()) {
                stepped.scheduler().submit(with(process(), "trace", "t1"));
                while (stepped.runOne(0)) {
                    seen.add(current.get());
                }
            }
            assertThat(seen).isNotEmpty().containsOnly("nothing");
        }

        @Test
        void whatItThrowsIsReportedAndChangesNothing() {
            try (Scheduler scheduler = Scheduler.builder()
                            .binding(attributes -> {
                                throw new IllegalStateException("broken binding");
                            })
                            .start();
                    var ignored = new LogRecorder()) {
                ProcessRef process = scheduler.submit(Process.of((events, out) -> out.done("fine")), "main");
                assertThat(Soon.get(process.result())).isEqualTo("fine");
                assertThat(scheduler.stats().listenerFailures()).isPositive();
                assertThat(Objects.requireNonNull(ignored).text()).contains("broken binding");
            }
        }
    }
}
