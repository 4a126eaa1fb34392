// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessInfo;
import dev.treadle.ProcessInfo.State;
import dev.treadle.Scheduler;
import dev.treadle.SchedulerStats;
import dev.treadle.StepOutput;
import dev.treadle.WorkerStats;
import dev.treadle.node.ChildSpec;
import dev.treadle.node.Node;
import dev.treadle.node.Spawn;
import dev.treadle.node.Supervisor;
import dev.treadle.node.SupervisorSpec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the dashboard says is what the node itself says. */
class DashboardTest {
    private static final String HOSTILE = "<script>alert('owned')</script>";

    private final Incidents incidents = new Incidents();
    private final Tracer tracer = new Tracer();
    private final Node node = Node.builder()
            .name("shop")
            .host("users", host -> host.workers(2))
            .host("system", host -> host.workers(1))
            .schedulers(scheduler -> scheduler.listener(incidents))
            .start();
    private final Dashboard dashboard = Dashboard.of(node)
            .port(0)
            .interval(Duration.ofMillis(100))
            .incidents(incidents)
            .tracer(tracer)
            .allowControl()
            .start();
    private final Client client = new Client(dashboard);

    @BeforeEach
    void start() {
        for (int i = 0; i < 100; i++) {
            node.spawn(Spawn.of(DashboardTest::listener).on("users"));
        }
        for (int id = 1; id <= 100; id++) {
            node.send(Pid.of("users", id), "hello", id);
        }
        awaitQuiet("users");
        awaitQuiet("system");
    }

    @AfterEach
    void close() {
        dashboard.close();
        node.close();
    }

    private static Process listener() {
        return Process.of((events, out) -> out.idle());
    }

    private void awaitQuiet(String host) {
        Scheduler scheduler = node.host(host).scheduler();
        await().until(() ->
                scheduler.processes().allMatch(process -> process.state() == State.IDLE && process.steps() > 0));
    }

    /** The overview of a sample that was taken after now. */
    private JsonNode overview() {
        long now = System.currentTimeMillis();
        return await().until(
                        () -> client.json("/api/overview"),
                        read -> read.get("time").asLong() > now);
    }

    @Test
    void theOverviewAgreesWithTheSchedulersOwnFigures() {
        // A worker goes to sleep a while after its last step, and counts that.
        await().atMost(Duration.ofSeconds(20)).untilAsserted(this::assertOverviewAgrees);
    }

    private void assertOverviewAgrees() {
        JsonNode overview = overview();

        SchedulerStats users = node.host("users").scheduler().stats();
        SchedulerStats system = node.host("system").scheduler().stats();
        WorkerStats total = users.total();
        JsonNode totals = overview.get("totals");
        assertThat(overview.get("name").asString()).isEqualTo("shop");
        assertThat(totals.get("steps").asLong())
                .isEqualTo(total.steps() + system.total().steps());
        assertThat(totals.get("events").asLong()).isEqualTo(total.events());
        assertThat(totals.get("messages").asLong()).isEqualTo(100);
        assertThat(totals.get("submitted").asLong()).isEqualTo(users.submitted());
        assertThat(totals.get("completed").asLong()).isEqualTo(users.completed());
        assertThat(totals.get("alive").asLong()).isEqualTo(users.alive()).isEqualTo(100);
        assertThat(totals.get("parks").asLong())
                .isEqualTo(total.parks() + system.total().parks());
        assertThat(totals.get("stealsWon").asLong()).isEqualTo(total.stealsWon());
        assertThat(totals.get("deadLetters").asLong()).isZero();
        JsonNode host = overview.get("hosts").get(0);
        assertThat(host.get("name").asString()).isEqualTo("users");
        assertThat(host.get("workers")).hasSize(2);
        for (int i = 0; i < 2; i++) {
            JsonNode worker = host.get("workers").get(i);
            assertThat(worker.get("steps").asLong())
                    .isEqualTo(users.workers().get(i).steps());
            assertThat(worker.get("parks").asLong())
                    .isEqualTo(users.workers().get(i).parks());
            assertThat(worker.get("activity").asString()).isEqualTo("ASLEEP");
        }
        JsonNode states = host.get("states");
        for (State state : State.values()) {
            assertThat(states.get(state.name()).asLong())
                    .isEqualTo(users.processes().getOrDefault(state, 0L));
        }
    }

    @Test
    void theStreamSendsTheOverviewAgainAndAgain() throws Exception {
        List<String> lines = client.stream(9);

        assertThat(lines)
                .filteredOn(line -> !line.isEmpty())
                .hasSize(6)
                .allMatch(line -> line.equals("event: overview") || line.startsWith("data: "));
        List<Long> times = lines.stream()
                .filter(line -> line.startsWith("data: "))
                .map(line -> JsonMapper.shared()
                        .readTree(line.substring("data: ".length()))
                        .get("time")
                        .asLong())
                .toList();
        assertThat(times).as("newer each time").isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aStepThatRunsIsSeenAtItsWorkerAndASlowOneWithItsStack() {
        var held = new CountDownLatch(1);
        Pid slow = node.spawn(
                        Spawn.of(() -> Process.of((events, out) -> hold(held))).on("system"))
                .pid();

        try {
            await().until(() -> isListed(slow));
            JsonNode worker = overview().get("hosts").get(1).get("workers").get(0);
            assertThat(worker.get("running").asString()).isEqualTo(slow.toString());
            assertThat(worker.get("activity").asString()).isEqualTo("RUNNING");
            assertThat(slowStep(slow).get("details").toString()).contains("DashboardTest.hold");
            assertThat(incidents.slowStepCount()).isPositive();
        } finally {
            held.countDown();
        }
    }

    private boolean isListed(Pid pid) {
        return slowStep(pid) != null;
    }

    private @Nullable JsonNode slowStep(Pid pid) {
        for (JsonNode step : client.json("/api/incidents").get("slowSteps")) {
            if (step.get("pid").asString().equals(pid.toString())) {
                return step;
            }
        }
        return null;
    }

    private static void hold(CountDownLatch held) throws InterruptedException {
        held.await();
    }

    @Test
    void oneProcessIsShownWithItsRelationsAndItsLatestEvents() {
        Pid parent = Pid.of("users", 1);
        Pid pid = node.spawn(Spawn.of(() -> tracer.trace(listener()))
                        .on("system")
                        .name(HOSTILE)
                        .attribute("tenant", HOSTILE)
                        .attribute("rows", new Object[3])
                        .linkedTo(parent)
                        .monitoredBy(parent))
                .pid();
        node.groups().join("traders", pid);
        node.send(pid, HOSTILE, HOSTILE);
        awaitQuiet("system");
        await().until(() -> node.find(pid).orElseThrow().inspect().orElseThrow().queueLength() == 0);

        JsonNode read = client.json("/api/process?pid=" + Client.encoded(pid));

        ProcessInfo info = node.find(pid).orElseThrow().inspect().orElseThrow();
        assertThat(read.get("alive").asBoolean()).isTrue();
        assertThat(read.get("process").get("state").asString()).isEqualTo("IDLE");
        assertThat(read.get("process").get("steps").asLong()).isEqualTo(info.steps());
        assertThat(read.get("process").get("type").asString()).isEqualTo(info.type());
        assertThat(read.get("names").get(0).asString()).isEqualTo(HOSTILE);
        assertThat(read.get("groups").get(0).asString()).isEqualTo("traders");
        assertThat(read.get("links").get(0).asString()).isEqualTo(parent.toString());
        assertThat(read.get("monitors").get(0).asString()).isEqualTo(parent.toString());
        assertThat(read.get("attributes").get("tenant").asString()).isEqualTo('"' + HOSTILE + '"');
        assertThat(read.get("attributes").get("rows").asString()).isEqualTo("java.lang.Object[]");
        assertThat(read.get("events").get(0).get("what").asString()).isEqualTo("message \"" + HOSTILE + '"');
        assertThat(read.get("events").get(0).get("detail").asString()).isEqualTo('"' + HOSTILE + '"');
    }

    @Test
    void childrenAreFoundAndAProcessThatHasEndedIsSaidToBe() {
        Pid parent = node.spawn(Spawn.of(Family::new).on("users")).pid();
        awaitQuiet("users");

        JsonNode read = client.json("/api/process?pid=" + Client.encoded(parent));

        assertThat(read.get("childCount").asInt()).isEqualTo(3);
        assertThat(read.get("children"))
                .hasSize(3)
                .allMatch(child -> child.get("parent").asString().equals(parent.toString()));
        node.terminate(parent, "test");
        await().until(() -> node.find(parent).isEmpty());
        assertThat(client.json("/api/process?pid=" + Client.encoded(parent))
                        .get("alive")
                        .asBoolean())
                .isFalse();
    }

    private static final class Family implements Process {
        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            for (int i = 0; i < 3; i++) {
                context.spawn(listener(), "main");
            }
        }

        @Override
        public void step(Events events, StepOutput out) {
            out.idle();
        }
    }

    @Test
    void theTreeNamesAndGroupsAreShown() {
        var spec = SupervisorSpec.oneForOne();
        for (int i = 0; i < 150; i++) {
            spec = spec.child(ChildSpec.of("child" + i, Spawn.of(DashboardTest::listener)));
        }
        SupervisorSpec all = spec;
        Pid supervisor = node.spawn(
                        Spawn.of(() -> Supervisor.of(all)).on("users").name("top"))
                .pid();
        node.groups().join("traders", Pid.of("users", 3));
        awaitQuiet("users");
        await().until(() -> node.tree().supervisors().get(0).children().size() == 150);

        JsonNode tree = client.json("/api/tree").get("supervisors").get(0);
        JsonNode names = client.json("/api/names?q=TOP");
        JsonNode group = client.json("/api/group?name=traders");

        assertThat(tree.get("pid").asString()).isEqualTo(supervisor.toString());
        assertThat(tree.get("childCount").asInt()).isEqualTo(150);
        assertThat(tree.get("childStates").get("RUNNING").asInt()).isEqualTo(150);
        assertThat(tree.get("children")).hasSize(NodePages.CHILDREN_MAX);
        assertThat(names.get("nameCount").asInt()).isEqualTo(1);
        assertThat(names.get("names").get(0).get("pid").asString()).isEqualTo(supervisor.toString());
        assertThat(names.get("groups")).as("none has TOP in its name").isEmpty();
        assertThat(client.json("/api/names").get("groups").get(0).get("size").asInt())
                .isEqualTo(1);
        assertThat(group.get("members").get(0).asString()).isEqualTo("{users|3}");
    }

    @Test
    void whatIsAllowedEndsProcesses() {
        Pid asked = node.spawn(Spawn.of(() -> Process.of((events, out) -> {
                            for (Event event : events) {
                                if (!(event instanceof Message)) {
                                    out.done();
                                }
                            }
                        }))
                        .on("users"))
                .pid();
        Pid told = Pid.of("users", 7);

        assertThat(client.send("POST", "/api/cancel?pid=" + Client.encoded(asked), Gate.CONTROL_HEADER, "yes")
                        .statusCode())
                .isEqualTo(200);
        assertThat(client.send(
                                "POST",
                                "/api/terminate?reason=why&pid=" + Client.encoded(told),
                                Gate.CONTROL_HEADER,
                                "yes")
                        .statusCode())
                .isEqualTo(200);

        await().until(() -> node.find(asked).isEmpty() && node.find(told).isEmpty());
        assertThat(client.send("POST", "/api/terminate?pid=" + Client.encoded(told), Gate.CONTROL_HEADER, "yes")
                        .body())
                .contains("{users|7} is not alive");
    }

    @Test
    void whatMakesNoSenseIsRefusedInWords() {
        assertThat(client.send("GET", "/api/processes?sort=colour").body()).contains("sort was", "colour", "steps");
        assertThat(client.send("GET", "/api/processes?limit=501").statusCode()).isEqualTo(400);
        assertThat(client.send("GET", "/api/processes?limit=500").statusCode()).isEqualTo(200);
        assertThat(client.send("GET", "/api/processes?offset=9951").statusCode())
                .isEqualTo(400);
        assertThat(client.send("GET", "/api/processes?offset=9950").statusCode())
                .isEqualTo(200);
        assertThat(client.send("GET", "/api/processes?q=" + "x".repeat(201)).body())
                .contains("at most 200");
        assertThat(client.send("GET", "/api/process?pid=7").body()).contains("{main|42}");
        assertThat(client.send("GET", "/api/nothing").statusCode()).isEqualTo(404);
        assertThat(client.send("GET", "/../pom.xml").statusCode()).isEqualTo(404);
        assertThat(client.send("PUT", "/api/overview").statusCode()).isEqualTo(405);
        assertThat(client.send("HEAD", "/api/overview").body()).isEmpty();
    }

    @Test
    void anotherHostCanStopAndStartWhileSomebodyLooks() {
        node.host("users").stop(Duration.ofSeconds(5));
        assertThat(overview().get("hosts")).hasSize(1);
        assertThat(client.json("/api/processes").get("matching").asInt()).isZero();

        node.host("users").start();

        assertThat(overview().get("hosts")).hasSize(2);
    }
}
