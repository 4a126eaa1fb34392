// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessInfo.State;
import dev.treadle.cli.CapturedRun;
import dev.treadle.cli.ExitCode;
import dev.treadle.node.Node;
import dev.treadle.node.Spawn;
import dev.treadle.observe.Dashboard;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node does, in a terminal. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TopCommandTest {
    private static final String TOKEN = "a-token-of-some-length";
    private static final String HOSTILE = "\u001b[2Jowned\u0007\u202e";

    private final Node node =
            Node.builder().name("shop").host("users", host -> host.workers(2)).start();
    private final Dashboard dashboard = Dashboard.of(node).port(0).start();
    private final String place = "127.0.0.1:" + dashboard.port();

    @BeforeAll
    void start() {
        for (int i = 0; i < 30; i++) {
            node.spawn(Spawn.of(() -> Process.of((events, out) -> out.idle())).method("serve"));
        }
        Pid named = node.spawn(Spawn.of(() -> Process.of((events, out) -> out.idle()))
                        .name(HOSTILE)
                        .method(HOSTILE))
                .pid();
        for (int i = 0; i < 50; i++) {
            node.send(named, "hello", null);
            await().until(() -> node.host("users").scheduler().processes().allMatch(each -> each.queueLength() == 0));
        }
        await().until(() -> node.host("users").scheduler().processes().allMatch(each -> each.state() == State.IDLE));
        long now = System.currentTimeMillis();
        await().until(() ->
                CapturedRun.of("top", "--once", "--connect", place).out().contains("31 idle")
                        && System.currentTimeMillis() > now + 1_000);
    }

    @AfterAll
    void close() {
        dashboard.close();
        node.close();
    }

    @Test
    void onceShowsFiguresAndTheBusiestProcesses() {
        CapturedRun run = CapturedRun.of("top", "--once", "--connect", place, "--rows", "3");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        Pid busiest = node.names().find(HOSTILE).orElseThrow();
        long steps = node.find(busiest).orElseThrow().inspect().orElseThrow().steps();
        List<String> lines = run.out().lines().toList();
        assertThat(lines.get(0)).startsWith("shop at ").contains("31 processes");
        assertThat(lines.get(1)).contains("steps/s", "messages/s");
        assertThat(lines.get(2)).startsWith("ready to run: half within");
        assertThat(lines.get(3))
                .startsWith("users: 0 running, 0 ready, 0 blocked, 31 idle; workers 0 asleep, 1 asleep");
        assertThat(lines.get(5)).startsWith("PROCESS").contains("STEPS");
        assertThat(lines).hasSize(6 + 3);
        assertThat(lines.get(6))
                .as("the one that had most steps")
                .startsWith("?[2Jowned??")
                .contains(" " + steps + " ");
    }

    @Test
    void whatUsersNamedCannotSteerTheTerminal() {
        String out = CapturedRun.of("top", "--once", "--connect", place).out();

        assertThat(out).contains("?[2Jowned??").doesNotContain("\u001b", "\u0007", "\u202e");
    }

    @Test
    void searchAndOrderAreTheServers() {
        CapturedRun run = CapturedRun.of("top", "--once", "--connect", place, "--search", "SERVE", "--sort", "pid");

        assertThat(run.out()).contains("{users|1}", "{users|12}").doesNotContain("{users|13}", "owned");
    }

    @Test
    void aTokenIsNeededIfTheDashboardAsksForOne() {
        try (Dashboard guarded = Dashboard.of(node).port(0).token(TOKEN).start()) {
            String there = "127.0.0.1:" + guarded.port();

            CapturedRun without = CapturedRun.of("top", "--once", "--connect", there);
            CapturedRun with = CapturedRun.of("top", "--once", "--connect", there, "--token", TOKEN);

            assertThat(without.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(without.err()).contains("--token").doesNotContain("\tat ");
            assertThat(with.exitCode()).isEqualTo(ExitCode.OK);
        }
    }

    @Test
    void whenNobodyAnswers_thenItSaysWhereItLooked() {
        Dashboard gone = Dashboard.of(node).port(0).start();
        gone.close();

        CapturedRun run = CapturedRun.of("top", "--connect", "127.0.0.1:" + gone.port());

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).contains("no dashboard answers at http://127.0.0.1:" + gone.port(), "--connect");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "box:port", "user@box:7700", "box:7700/path", "http://box:1?x"})
    void whenThePlaceIsNone_thenItIsRefused(String connect) {
        CapturedRun run = CapturedRun.of("top", "--once", "--connect", connect);

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("--connect was \"" + connect + "\"", "HOST:PORT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "501"})
    void whenThereAreTooFewOrTooManyRows_thenItIsRefused(String rows) {
        assertThat(CapturedRun.of("top", "--once", "--rows", rows).err()).contains("--rows was " + rows, "1 to 500");
    }
}
