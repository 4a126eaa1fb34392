// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import dev.treadle.SteppedScheduler;
import dev.treadle.relay.Delivery;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A context that answers for the node: nothing reaches one, and every call of a NodeContext passes by. */
class NodeCallsTest {
    private static final Pid SELF = Pid.of("main", 1);
    private static final Pid OTHER = Pid.of("main", 2);

    private final List<String> called = new ArrayList<>();
    private final Map<String, Object> answers = new LinkedHashMap<>();

    /** Both, as a tool has it; any other method of the context is one that no call may need. */
    private interface Context extends ProcessContext, NodeCalls {}

    private final class Answering implements NodeCalls {
        private final ProcessRef ref;

        Answering(ProcessRef ref) {
            this.ref = ref;
        }

        @Override
        public <T> T call(
                String method,
                List<?> arguments,
                Supplier<T> call,
                Function<? super T, Object> toPlain,
                Function<Object, T> fromPlain) {
            called.add(method + " " + arguments);
            T result = fromPlain.apply(answers.getOrDefault(method, true));
            assertThat(toPlain.apply(result)).as("there and back").isEqualTo(answers.getOrDefault(method, true));
            return result;
        }

        @Override
        public ProcessRef ref(Pid pid) {
            return ref;
        }
    }

    private static NodeContext contextOf(NodeCalls calls) {
        return NodeContext.of((ProcessContext) Proxy.newProxyInstance(
                NodeCallsTest.class.getClassLoader(), new Class<?>[] {Context.class}, (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == NodeCalls.class) {
                        return method.invoke(calls, arguments);
                    }
                    assertThat(method.getName()).isEqualTo("self");
                    return SELF;
                }));
    }

    @Test
    void whenAContextStandsBetween_thenItIsAskedForEachCallAndMakesTheResult() {
        try (SteppedScheduler stepped = Scheduler.builder().firstId(2).stepped()) {
            ProcessRef other = stepped.scheduler().submit(Process.of((events, out) -> {}), "main");
            answers.put("monitor", 77L);
            answers.put("spawn", Arrays.asList(OTHER, true, 78L));
            answers.put("register", Optional.of(OTHER));
            answers.put("broadcast", 3);
            List.of("send", "cancel", "terminate").forEach(method -> answers.put(method, Delivery.MAILBOX_FULL));
            NodeContext node = contextOf(new Answering(other));

            Spawned spawned = node.spawnMonitored(Spawn.definition("some")
                    .on("main")
                    .method("go", 5)
                    .name("it")
                    .linkedTo(OTHER));
            Monitor monitor = node.monitor(OTHER);
            node.demonitor(monitor);
            node.link(OTHER);
            node.unlink(OTHER);
            node.trapExits(true);
            node.join("g");
            node.leave("g");

            assertThat(spawned.ref()).isSameAs(other);
            assertThat(spawned.isNew()).isTrue();
            assertThat(spawned.monitor().ref()).isEqualTo(78);
            assertThat(spawned.monitor().watcher()).isEqualTo(SELF);
            assertThat(monitor.ref()).isEqualTo(77);
            assertThat(monitor.target()).isEqualTo(OTHER);
            assertThat(node.register("n")).contains(OTHER);
            assertThat(node.broadcast("g", "t", 1)).isEqualTo(3);
            assertThat(node.send("n", "t", null)).isEqualTo(Delivery.MAILBOX_FULL);
            assertThat(node.cancel(OTHER, "why")).isEqualTo(Delivery.MAILBOX_FULL);
            assertThat(node.cancel(OTHER, "why", Duration.ZERO)).isEqualTo(Delivery.MAILBOX_FULL);
            assertThat(node.terminate(OTHER, "why")).isEqualTo(Delivery.MAILBOX_FULL);
            assertThat(called)
                    .containsExactly(
                            "spawn [some, main, go, [5], it, {main|2}, {main|1}]",
                            "monitor [{main|2}]",
                            "demonitor [77]",
                            "link [{main|2}]",
                            "unlink [{main|2}]",
                            "trapExits [true]",
                            "join [g]",
                            "leave [g]",
                            "register [n]",
                            "broadcast [g, t, 1]",
                            "send [n, t, null]",
                            "cancel [{main|2}, why]",
                            "cancel [{main|2}, why, PT0S]",
                            "terminate [{main|2}, why]");
        }
    }
}
