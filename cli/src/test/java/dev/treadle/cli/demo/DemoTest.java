// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.treadle.ShutdownReport;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoTest {
    private static final int NEVER = 0;
    private static final Duration INTERVAL = Duration.ofMillis(20);
    private static final int ANY_PORT = 0;

    private final HttpClient client = HttpClient.newHttpClient();

    @ParameterizedTest(name = "{0} processes")
    @ValueSource(ints = {10, 199, 1_234})
    void whenPopulated_thenThereAreAsManyAsAskedForAndAllEndInOrder(int processes) {
        try (Demo demo = start(processes, 2, NEVER)) {
            demo.populate(() -> false);

            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(demo.stats().alive()).isEqualTo(processes));
            assertThat(demo.shutdown(Duration.ofMinutes(1)))
                    .extracting(ShutdownReport::ended, ShutdownReport::waiting, ShutdownReport::forced)
                    .containsExactly(processes, 0, 0);
            assertThat(demo.crashed()).isZero();
        }
    }

    @ParameterizedTest(name = "{0} workers")
    @ValueSource(ints = {1, 8})
    void whenDevicesBreakAllTheTime_thenTheyAreStartedAgainAndTelemetryGoesOn(int workers) {
        int processes = 200;
        try (Demo demo = start(processes, workers, 20)) {
            demo.populate(() -> false);

            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(demo.crashed()).isGreaterThan(50));
            long crashed = demo.crashed();
            long readings = demo.readings();
            long rows = demo.rows();
            await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
                assertThat(demo.crashed()).isGreaterThan(crashed + 20);
                assertThat(demo.readings()).isGreaterThan(readings + 1_000);
                assertThat(demo.rows()).isGreaterThan(rows + 5);
            });
            assertThat(demo.stats().submitted()).isGreaterThan(processes);
            assertThat(demo.shutdown(Duration.ofMinutes(1)).isGraceful()).isTrue();
        }
    }

    @Test
    void whenToldToStop_thenNoMoreSitesAreStarted() {
        try (Demo demo = start(1_000_000, 1, NEVER)) {
            demo.populate(() -> demo.stats().alive() > Demo.FIXED_PROCESSES);

            assertThat(demo.stats().alive()).isLessThan(1_000);
        }
    }

    @Test
    void whenADeviceIsLookedAtOverHttp_thenItSaysHowItIs() throws Exception {
        try (Demo demo = start(50, 2, NEVER)) {
            demo.populate(() -> false);

            assertThat(get(demo, "devices/7").body()).contains("\"device\": \"device-7\"", "\"target\": ");
            assertThat(get(demo, "devices/9999").statusCode()).isEqualTo(404);
            assertThat(get(demo, "devices/x").statusCode()).isEqualTo(404);
            assertThat(get(demo, "").body()).contains("curl " + demo.api());
            assertThat(get(demo, "nothing").statusCode()).isEqualTo(404);
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(demo.looks())
                            .as("the operator does so too")
                            .isPositive());
        }
    }

    @Test
    void whenADeviceIsBrokenOverHttp_thenItIsStartedAgainUnderItsName() throws Exception {
        try (Demo demo = start(50, 2, NEVER)) {
            demo.populate(() -> false);
            assertThat(get(demo, "devices/7/break").statusCode()).as("by GET").isEqualTo(405);

            assertThat(post(demo, "devices/7/break", "").statusCode()).isEqualTo(202);

            await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
                assertThat(demo.crashed()).isEqualTo(1);
                assertThat(get(demo, "devices/7").statusCode()).isEqualTo(200);
            });
        }
    }

    @Test
    void whenATargetIsSetOverHttp_thenTheDeviceHasIt() throws Exception {
        try (Demo demo = start(50, 2, NEVER)) {
            demo.populate(() -> false);
            assertThat(post(demo, "devices/7/target", "hot").body())
                    .isEqualTo("target was \"hot\", must be a number: send 30, say\n");

            await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
                // Again and again: its station tells it something else now and then.
                assertThat(post(demo, "devices/7/target", "99.5").statusCode()).isEqualTo(202);
                assertThat(get(demo, "hottest").body())
                        .as("it heats, and the database knows")
                        .containsPattern("\"highest\": [6-9][0-9]");
            });
        }
    }

    private static Demo start(int processes, int workers, int crashOdds) {
        return Demo.start(new Demo.Settings(processes, workers, 1, crashOdds, INTERVAL, ANY_PORT));
    }

    private HttpResponse<String> get(Demo demo, String path) throws Exception {
        return client.send(HttpRequest.newBuilder(demo.api().resolve(path)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(Demo demo, String path, String body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(demo.api().resolve(path))
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }
}
