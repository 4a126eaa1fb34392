// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.StepOutput;
import dev.treadle.command.Ask;
import dev.treadle.node.Spawn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several nodes in one simulation. */
class NetworkTest {
    private final List<Object> received = new ArrayList<>();

    @Test
    void messagesArriveInOrderAfterAWhile() {
        Set<Duration> times = new HashSet<>();
        for (int seed = 0; seed < 20; seed += 2) {
            received.clear();
            times.add(twoNodes(seed).play(world -> sendMany(world, 20)).elapsed());
            assertThat(received).isEqualTo(IntStream.range(0, 20).boxed().toList());
        }
        assertThat(times).hasSizeGreaterThan(3).allMatch(time -> time.toMillis() <= 100);
    }

    @Test
    void messagesAreLost() {
        twoNodes(2).faults(Faults.none().loseMessages(1).atMost(5)).play(world -> sendMany(world, 20));
        assertThat(received).hasSize(15);
    }

    @Test
    void aPartitionCutsThemOffUntilItHeals() {
        twoNodes(2).play(world -> {
            Pid sink = spawnSink(world);
            world.partition("a", "b");
            world.node("a").send(sink, "x", 1);
            world.run(Duration.ofSeconds(1));
            assertThat(received).isEmpty();
            world.heal("a", "b");
            world.node("a").send(sink, "x", 2);
            world.run(Duration.ofSeconds(1));
            assertThat(received).containsExactly(2);
        });
    }

    @Test
    void anAskGoesThereAndBack_andTimesOutWhenCutOff() {
        for (boolean cut : new boolean[] {false, true}) {
            received.clear();
            twoNodes(2).play(world -> {
                Pid echo = world.node("b").spawn(Spawn.of(Echo::new)).pid();
                if (cut) {
                    world.partition("a", "b");
                }
                world.node("a")
                        .spawn(Spawn.of(() -> Process.of((events, out) -> {
                            if (events.isEmpty()) {
                                out.yield(new Ask(echo, "echo", "hello"), 1, Duration.ofSeconds(1));
                            }
                            for (Event event : events) {
                                if (event instanceof Completion completion) {
                                    received.add(completion.error() == null ? completion.data() : "failed");
                                }
                            }
                        })));
            });
            assertThat(received).containsExactly(cut ? "failed" : "hello");
        }
    }

    @Test
    void aNodeThatIsDownGetsNothing_andIsReachedAgainWhenItIsUp() {
        twoNodes(2).play(world -> {
            world.boot("b", node -> node.spawn(Spawn.of(Sink::new).name("sink")));
            world.restart("b", Duration.ofSeconds(10));
            world.node("a").send(Pid.of("right", 1L << 56), "x", "to nobody");
            world.run(Duration.ofSeconds(11));
            Pid sink = world.node("b").names().find("sink").orElseThrow();
            world.node("a").send(sink, "x", "to the new one");
            world.run(Duration.ofSeconds(1));
        });
        assertThat(received).containsExactly("to the new one");
    }

    @Test
    void theTimeOfDayOfANodeMayBeOff() {
        var times = new ArrayList<Instant>();
        Simulation.seed(1)
                .node("a", builder -> builder.host("left"))
                .node("b", Duration.ofSeconds(-30), builder -> builder.host("right"))
                .play(world -> {
                    for (String name : List.of("a", "b")) {
                        world.node(name).spawn(Spawn.of(() -> new Clock(times)));
                    }
                });
        assertThat(times).hasSize(2);
        assertThat(Duration.between(times.get(0), times.get(1)).abs()).isEqualTo(Duration.ofSeconds(30));
    }

    private Simulation twoNodes(long seed) {
        return Simulation.seed(seed)
                .node("a", builder -> builder.host("left"))
                .node("b", builder -> builder.host("right"));
    }

    private void sendMany(World world, int messages) {
        Pid sink = spawnSink(world);
        for (int i = 0; i < messages; i++) {
            world.node("a").send(sink, "x", i);
        }
    }

    private Pid spawnSink(World world) {
        return world.node("b").spawn(Spawn.of(Sink::new)).pid();
    }

    private final class Sink implements Process {
        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message) {
                    received.add(message.payload());
                }
            }
            out.idle();
        }
    }

    private static final class Echo implements Process {
        private ProcessContext context;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message) {
                    context.reply(message, message.payload());
                }
            }
            out.idle();
        }
    }

    private static final class Clock implements Process {
        private final List<Instant> times;

        Clock(List<Instant> times) {
            this.times = times;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            times.add(context.time().instant());
        }

        @Override
        public void step(Events events, StepOutput out) {
            out.done();
        }
    }
}
