// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Services at the top of a node. */
class ServiceTest {
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    private ServiceSpec service(String id, String... requires) {
        return ServiceSpec.of(id, Spawn.of(() -> new Service(id, null))).requires(requires);
    }

    /** Starts and stops a node with these services, and returns what happened. */
    private List<String> run(ServiceSpec... services) {
        NodeBuilder builder = Node.builder().host("a", host -> host.workers(2)).host("b", host -> host.workers(1));
        for (ServiceSpec service : services) {
            builder.service(service);
        }
        try (SteppedNode stepped = builder.stepped()) {
            stepped.runAll();
            log.add("ready");
        }
        return log;
    }

    @Nested
    class Order {
        @Test
        void isThatOfTheRequirementsAndTheReverseAtTheEnd() {
            List<String> ran =
                    run(service("web", "orders", "users"), service("orders", "db"), service("users"), service("db"));
            assertThat(ran.subList(0, 2)).containsExactlyInAnyOrder("start users", "start db");
            assertThat(ran.subList(2, ran.size()))
                    .containsExactly(
                            "start orders", "start web", "ready", "end web", "end orders", "end db", "end users");
        }

        @Test
        void waitsForAllChildrenOfAService() {
            SupervisorSpec two = SupervisorSpec.oneForAll()
                    .child("x", Spawn.of(() -> new Service("x", null)))
                    .child("y", Spawn.of(() -> new Service("y", null)));
            assertThat(run(service("web", "two"), ServiceSpec.of("two", two)))
                    .containsExactly("start x", "start y", "start web", "ready", "end web", "end y", "end x");
        }
    }

    @Nested
    class Refused {
        @Test
        void isACircleByName() {
            assertThatThrownBy(() -> run(service("x"), service("a", "x", "b"), service("b", "c"), service("c", "a")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(": a requires b requires c requires a; leave one of these out");
        }

        @Test
        void isOneThatRequiresItself() {
            assertThatThrownBy(() -> run(service("a", "a"))).hasMessageContaining(": a requires a;");
        }

        @Test
        void isARequirementThatIsNotThere() {
            assertThatThrownBy(() -> run(service("a"), service("b", "db")))
                    .hasMessage(
                            "service \"b\" requires \"db\", which is none of [a, b]: add it to the node, or leave it"
                                    + " out");
        }

        @Test
        void isANameThatIsThereTwice() {
            assertThatThrownBy(() -> run(service("a"), service("a"))).hasMessageContaining("\"a\" was added twice");
        }

        @Test
        void isATimeoutThatIsNotPositive() {
            assertThatThrownBy(() -> Node.builder().serviceStartTimeout(Duration.ZERO))
                    .hasMessageContaining("serviceStartTimeout was PT0S");
        }
    }

    @Test
    void aServiceThatFailsIsRestartedAndTheTreeShowsIt() {
        try (SteppedNode stepped = Node.builder().service(service("db")).stepped()) {
            stepped.runAll();
            SupervisionTree.Entry root = stepped.node().tree().supervisors().get(0);
            SupervisionTree.Entry db = root.children().get(0);
            assertThat(db.id()).isEqualTo("db");
            stepped.node().send(db.children().get(0).pid(), "throw", null);
            stepped.runAll();
            assertThat(stepped.node().tree().toString()).contains("db").contains("running, restarted once");
        }
        assertThat(log).containsExactly("start db", "end db", "start db", "end db");
    }

    @Nested
    class WithThreads {
        @ParameterizedTest
        @ValueSource(ints = {1, 2, 8})
        void theNodeHasStartedWhenItsServicesHave(int workers) {
            try (Node node = Node.builder()
                    .host("main", host -> host.workers(workers))
                    .service(service("web", "db"))
                    .service(service("db"))
                    .start()) {
                assertThat(log).containsExactly("start db", "start web");
                assertThat(node.tree().supervisors()).hasSize(1);
            }
            assertThat(log).containsExactly("start db", "start web", "end web", "end db");
        }

        @Test
        void servicesThatDoNotRequireEachOtherStartAtTheSameTime() {
            var both = new CyclicBarrier(2); // each init waits for the other one
            Spawn x = Spawn.of(() -> new Service("x", () -> both.await(1, TimeUnit.MINUTES)));
            Spawn y = Spawn.of(() -> new Service("y", () -> both.await(1, TimeUnit.MINUTES)));
            Node.builder()
                    .host("main", host -> host.workers(4))
                    .service(ServiceSpec.of("x", x))
                    .service(ServiceSpec.of("y", y))
                    .start()
                    .close();
            assertThat(log).contains("start x", "start y", "end x", "end y");
        }

        @Test
        void aServiceThatDoesNotStartIsNamedAndThoseBeforeItAreStopped() {
            NodeBuilder builder = Node.builder()
                    .service(service("db"))
                    .service(ServiceSpec.of(
                                    "web",
                                    Spawn.of(() -> new Service("web", () -> {
                                        throw new IllegalStateException("no port");
                                    })))
                            .requires("db"));
            assertThatThrownBy(builder::start)
                    .isInstanceOf(SupervisorStartException.class)
                    .hasMessageContaining("the services of node \"node\" did not start")
                    .hasStackTraceContaining("child \"web\" did not")
                    .hasRootCauseMessage("no port");
            assertThat(log).containsExactly("start db", "end db");
        }

        @Test
        void aServiceThatTakesTooLongToStartIsNamed() {
            var never = new CountDownLatch(1);
            NodeBuilder builder = Node.builder()
                    .serviceStartTimeout(Duration.ofSeconds(1))
                    .service(ServiceSpec.of("slow", Spawn.of(() -> new Service("slow", never::await))));
            assertThatThrownBy(builder::start)
                    .isInstanceOf(SupervisorStartException.class)
                    .hasMessageContaining("did not start within PT1S")
                    .hasMessageContaining("slow");
            never.countDown();
        }
    }

    /** What an init does. */
    private interface Action {
        void run() throws Exception;
    }

    /** Says when it starts and ends. */
    private final class Service implements Process {
        private final String id;
        private final @Nullable Action onInit;
        private boolean isStarted;

        Service(String id, @Nullable Action onInit) {
            this.id = id;
            this.onInit = onInit;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) throws Exception {
            if (onInit != null) {
                onInit.run();
            }
            isStarted = true;
            log.add("start " + id);
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Signal) {
                    out.done();
                } else if (event instanceof Message) {
                    throw new IllegalStateException("as told");
                }
            }
        }

        @Override
        public void close() {
            if (isStarted) {
                log.add("end " + id);
            }
        }
    }
}
