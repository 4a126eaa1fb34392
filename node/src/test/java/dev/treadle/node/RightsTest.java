// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.Command;
import dev.treadle.CommandRegistry;
import dev.treadle.Completion;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.StepOutput;
import dev.treadle.Submission;
import dev.treadle.SubmissionRefusedException;
import dev.treadle.relay.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Who may do what. */
class RightsTest {
    private record Beep() implements Command {}

    private final SteppedNode stepped = node(false);
    private final Node node = stepped.node();

    private static SteppedNode node(boolean required) {
        return builder(required).stepped();
    }

    private static NodeBuilder builder(boolean required) {
        NodeBuilder builder = Node.builder()
                .host("a", host -> host.workers(1))
                .host("b", host -> host.workers(1))
                .schedulers(scheduler -> scheduler.handlers(
                        new CommandRegistry().register(Beep.class, (command, receiver) -> receiver.complete("beep"))));
        return required ? builder.requireRights() : builder;
    }

    @AfterEach
    void close() {
        stepped.close();
    }

    /** Does something as a process with these rights, or with none. */
    private void as(Rights rights, BiConsumer<ProcessContext, StepOutput> what) {
        var probe = new Probe();
        Spawn spawn = Spawn.of(() -> probe).on("a");
        Pid pid = node.spawn(rights == null ? spawn : spawn.attribute(Rights.ATTRIBUTE, rights))
                .pid();
        BiConsumer<NodeContext, StepOutput> task = (context, out) -> what.accept(probe.context(), out);
        node.send(pid, "do", task);
        stepped.runAll();
        assertThat(node.find(pid)).as("what it did threw nothing").isPresent();
    }

    private static Rights guest() {
        return Rights.of("guest").allow(Permission.SPAWN, "a");
    }

    @Nested
    class Rules {
        @Test
        void nothingMatchingDeniesAndDenyWins() {
            Rights rights = Rights.of("x")
                    .deny(Permission.RUN, "dev.Bad")
                    .allow(Permission.RUN, "dev.*")
                    .allow(Permission.SEND, "users");
            assertThat(rights.allows(Permission.RUN, "dev.Good")).isTrue();
            assertThat(rights.allows(Permission.RUN, "dev.Bad")).isFalse();
            assertThat(rights.allows(Permission.RUN, "de")).isFalse();
            assertThat(rights.allows(Permission.SEND, "users")).isTrue();
            assertThat(rights.allows(Permission.SEND, "users2")).isFalse();
            assertThat(rights.allows(Permission.CANCEL, "users")).isFalse();
            assertThat(Rights.all("x").allows(Permission.CANCEL, "users")).isTrue();
            assertThat(Rights.all("x").deny(Permission.CANCEL, "*").allows(Permission.CANCEL, "users"))
                    .isFalse();
        }

        @Test
        void withinOthersBothMustAllow() {
            Rights both = Rights.all("x").within(guest());
            assertThat(both.allows(Permission.SPAWN, "a")).isTrue();
            assertThat(both.allows(Permission.SPAWN, "b")).isFalse();
            assertThat(both.allow(Permission.SPAWN, "b").allows(Permission.SPAWN, "b"))
                    .as("not even with one more rule")
                    .isFalse();
        }

        /** Two processes that send to each other: what goes along must not grow with each message. */
        @Test
        void layersDoNotPileUp() {
            Rights x = guest();
            Rights y = Rights.all("y");
            Rights carried = x;
            for (int i = 0; i < 100; i++) {
                carried = (Rights) (i % 2 == 0 ? y : x).bound(carried);
            }
            assertThat(carried).isEqualTo(x.within(y));
        }
    }

    @Nested
    class Permissions {
        @Test
        void spawn() {
            as(guest(), (context, out) -> {
                assertThat(NodeContext.of(context).spawn(Spawn.of(Probe::new)).isNew())
                        .isTrue();
                assertThatThrownBy(() -> NodeContext.of(context)
                                .spawn(Spawn.of(Probe::new).on("b").name("it")))
                        .isInstanceOf(SubmissionRefusedException.class)
                        .hasRootCauseInstanceOf(NotAllowedException.class)
                        .hasStackTraceContaining("\"guest\" may not SPAWN \"b\"");
            });
            assertThat(node.names().size()).isZero();
        }

        @Test
        void send() {
            var target = new Probe();
            Pid pid = node.spawn(Spawn.of(() -> target).on("b")).pid();
            as(
                    guest(),
                    (context, out) -> assertThat(context.send(pid, "no", null)).isEqualTo(Delivery.REFUSED));
            as(
                    guest().allow(Permission.SEND, "b"),
                    (context, out) -> assertThat(context.send(pid, "yes", null)).isEqualTo(Delivery.DELIVERED));
            as(null, (context, out) -> context.send(pid, "all allowed", null));
            assertThat(target.seen).containsExactly("yes", "all allowed");
        }

        @Test
        void run() {
            var answers = new ArrayList<Completion>();
            Process runs = Process.of((events, out) -> {
                events.forEach(event -> answers.add((Completion) event));
                if (events.isEmpty()) {
                    out.yield(new Beep(), 1);
                }
            });
            for (Rights rights : List.of(guest(), guest().allow(Permission.RUN, Beep.class.getTypeName()))) {
                node.spawn(Spawn.of(() -> runs).on("a").attribute(Rights.ATTRIBUTE, rights));
                stepped.runAll();
            }
            assertThat(answers).hasSize(2);
            assertThat(answers.get(0).error())
                    .isInstanceOf(NotAllowedException.class)
                    .hasMessageContaining("\"guest\" may not RUN \"" + Beep.class.getTypeName() + "\"");
            assertThat(answers.get(1).data()).isEqualTo("beep");
        }

        @Test
        void cancelAndLinkWhichCanEndTheOther() {
            Pid pid = node.spawn(Spawn.of(Probe::new).on("b")).pid();
            as(guest(), (context, out) -> {
                NodeContext mine = NodeContext.of(context);
                for (Runnable end : List.<Runnable>of(
                        () -> mine.cancel(pid, "please"), () -> mine.terminate(pid, "now"), () -> mine.link(pid))) {
                    assertThatThrownBy(end::run)
                            .isInstanceOf(NotAllowedException.class)
                            .hasMessageContaining("\"guest\" may not CANCEL \"b\"");
                }
            });
            assertThat(node.find(pid)).isPresent();
            as(
                    guest().allow(Permission.CANCEL, "b"),
                    (context, out) -> NodeContext.of(context).terminate(pid, "now"));
            assertThat(node.find(pid)).isEmpty();
        }
    }

    @Nested
    class Widening {
        private void childHas(Process child, Rights expected, BiConsumer<ProcessContext, Process> spawns) {
            as(guest(), (context, out) -> spawns.accept(context, child));
            assertThat(((Probe) child).context().attributes()).containsEntry(Rights.ATTRIBUTE, expected);
        }

        @Test
        void aChildCannotBeGivenMore() {
            Rights more = Rights.all("root");
            childHas(
                    new Probe(),
                    more.within(guest()),
                    (context, child) ->
                            NodeContext.of(context).spawn(Spawn.of(() -> child).attribute(Rights.ATTRIBUTE, more)));
            childHas(
                    new Probe(),
                    more.within(guest()),
                    (context, child) ->
                            context.spawn(Submission.of(child, "main").attribute(Rights.ATTRIBUTE, more)));
            childHas(
                    new Probe(),
                    guest(),
                    (context, child) ->
                            context.spawn(Submission.of(child, "main").attribute(Rights.ATTRIBUTE, "none")));
            Rights both = guest().allow(Permission.SPAWN, "b");
            as(both, (context, out) -> {
                var child = new Probe();
                NodeContext.of(context).spawn(Spawn.of(() -> child).on("b").attribute(Rights.ATTRIBUTE, more));
                assertThat(child.context().attributes())
                        .as("on another host")
                        .containsEntry(Rights.ATTRIBUTE, more.within(both));
            });
        }

        /** A process must not act with all the rights of whoever sends to it. */
        @Test
        void aMessageOfOneWithMoreRightsDoesNotLendThem() {
            Pid victim = node.spawn(Spawn.of(Probe::new).on("b")).pid();
            var weak = new Probe();
            Pid weakPid = node.spawn(Spawn.of(() -> weak).on("a").attribute(Rights.ATTRIBUTE, guest()))
                    .pid();
            var refused = new ArrayList<Throwable>();
            BiConsumer<NodeContext, StepOutput> abuse = (context, out) -> {
                try {
                    context.terminate(victim, "now");
                } catch (NotAllowedException e) {
                    refused.add(e);
                }
            };
            as(Rights.all("root"), (context, out) -> context.send(weakPid, "do", abuse));
            assertThat(refused).hasSize(1);
            assertThat(node.find(victim)).isPresent();
        }

        @Test
        void aMessageOfOneWithFewerRightsIsHandledWithThose() {
            Pid victim = node.spawn(Spawn.of(Probe::new).on("b")).pid();
            Pid strong = node.spawn(Spawn.of(Probe::new).on("a").attribute(Rights.ATTRIBUTE, Rights.all("root")))
                    .pid();
            var refused = new ArrayList<Throwable>();
            BiConsumer<NodeContext, StepOutput> lure = (context, out) -> {
                try {
                    context.terminate(victim, "now");
                } catch (NotAllowedException e) {
                    refused.add(e);
                }
            };
            as(guest(), (context, out) -> context.send(strong, "do", lure));
            assertThat(refused).hasSize(1);
        }
    }

    @Nested
    class Defaults {
        @Test
        void withoutRightsAllIsAllowedAndTheLogSaysSoOnce() {
            var lines = new ArrayList<String>();
            var handler = new Handler() {
                @Override
                public void publish(LogRecord line) {
                    lines.add(line.getLevel() + " "
                            + java.text.MessageFormat.format(line.getMessage(), line.getParameters()));
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };
            Logger logger = Logger.getLogger("dev.treadle.node");
            logger.addHandler(handler);
            try (Node open = builder(false).start();
                    Node strict = builder(true).start()) {
                open.spawn(Spawn.of(Probe::new));
                assertThat(strict.hosts()).isNotEmpty();
                assertThat(lines).singleElement().asString().startsWith("INFO node \"node\": all is allowed");
            } finally {
                logger.removeHandler(handler);
            }
        }

        @Test
        void whenTheyAreRequiredNothingIsAllowedWithoutThem() {
            try (SteppedNode strict = node(true)) {
                assertThatThrownBy(() -> strict.node().spawn(Spawn.of(Probe::new)))
                        .hasStackTraceContaining("nobody may SPAWN \"a\" without rights on this node");
                Pid target = strict.node()
                        .spawn(Spawn.of(Probe::new).attribute(Rights.ATTRIBUTE, guest()))
                        .pid();
                // What the node itself needs to start, to tell so many, is not refused.
                for (int i = 0; i < 5_000; i++) {
                    strict.node().monitor(target, target);
                }
                strict.runAll();
                strict.node().terminate(target, "now");
                strict.hosts().get("a").runOne(0);
                assertThat(strict.hosts().get("a").scheduler().stats().alive()).isEqualTo(1);
            }
        }
    }
}
