// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.Scheduler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may look, who may end processes, and where the dashboard listens. */
class GateTest {
    private static final String TOKEN = "0123456789abcdef";

    private final Scheduler scheduler = Scheduler.builder().workers(1).start();
    private final Pid pid =
            scheduler.submit(Process.of((events, out) -> out.idle()), "main").pid();

    @AfterEach
    void close() {
        scheduler.shutdown(Duration.ZERO);
    }

    private DashboardBuilder dashboard() {
        return Dashboard.of(scheduler).port(0);
    }

    private String end() {
        return "/api/terminate?pid=" + Client.encoded(pid);
    }

    @Nested
    class GivenLoopback {
        private final Dashboard dashboard = dashboard().allowControl().start();
        private final Client client = new Client(dashboard);

        @AfterEach
        void close() {
            dashboard.close();
        }

        @ParameterizedTest
        @ValueSource(strings = {"127.0.0.1", "127.0.0.1:1", "localhost:7700", "LOCALHOST", "[::1]", "[::1]:7700"})
        void whenTheHostIsOfThisMachine_thenItAnswers(String host) {
            assertThat(client.raw("GET /api/overview HTTP/1.1", "Host: " + host))
                    .isEqualTo(200);
        }

        /** DNS rebinding: a site lets its own name point here. */
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "evil.example",
                    "evil.example:7700",
                    "localhost.evil.example",
                    "127.0.0.1.evil.example",
                    "127.0.0.2:1",
                    "[::2]"
                })
        void whenTheHostIsAnother_thenNothingIsShownNotEvenThePage(String host) {
            assertThat(client.raw("GET /api/overview HTTP/1.1", "Host: " + host))
                    .isEqualTo(403);
            assertThat(client.raw("GET / HTTP/1.1", "Host: " + host)).isEqualTo(403);
            assertThat(client.raw("GET /metrics HTTP/1.1", "Host: " + host)).isEqualTo(403);
        }

        @ParameterizedTest
        @ValueSource(strings = {"cross-site", "same-site"})
        void whenAnotherSiteAsks_thenItIsRefused(String site) {
            assertThat(client.send("GET", "/api/overview", "Sec-Fetch-Site", site)
                            .statusCode())
                    .isEqualTo(403);
            assertThat(client.send("GET", "/api/stream", "Sec-Fetch-Site", site).statusCode())
                    .isEqualTo(403);
            assertThat(client.send("GET", "/api/overview", "Sec-Fetch-Site", "same-origin")
                            .statusCode())
                    .isEqualTo(200);
        }

        @Test
        void whenAnotherSiteWantsToEndAProcess_thenItLives() {
            String own = dashboard.url().toString().replaceAll("/$", "");
            List<HttpResponse<String>> refused = List.of(
                    client.send("POST", end()),
                    client.send("POST", end(), Gate.CONTROL_HEADER, "yes", "Origin", "http://evil.example"),
                    client.send("POST", end(), Gate.CONTROL_HEADER, "yes", "Origin", "null"),
                    client.send("POST", end(), Gate.CONTROL_HEADER, "yes", "Origin", own + "0"),
                    client.send("POST", end(), Gate.CONTROL_HEADER, "yes", "Sec-Fetch-Site", "cross-site"));

            assertThat(refused).extracting(HttpResponse::statusCode).containsOnly(403);
            assertThat(client.send("GET", end()).statusCode())
                    .as("by a link or an image")
                    .isEqualTo(404);
            assertThat(client.send("OPTIONS", end(), "Origin", "http://evil.example")
                            .headers()
                            .map())
                    .as("no preflight is answered")
                    .doesNotContainKey("access-control-allow-origin");
            assertThat(scheduler.find(pid)).isPresent();
            assertThat(client.send("POST", end(), Gate.CONTROL_HEADER, "yes", "Origin", own)
                            .statusCode())
                    .as("the page itself")
                    .isEqualTo(200);
        }

        @Test
        void whenThePageIsAskedFor_thenNothingFromElsewhereMayRunInIt() {
            HttpResponse<String> page = client.send("GET", "/");

            assertThat(page.headers().firstValue("Content-Security-Policy"))
                    .hasValueSatisfying(policy -> assertThat(policy)
                            .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                            .doesNotContain("unsafe"));
            assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
            assertThat(page.body()).doesNotContain("http://", "https://", "style=");
            assertThat(page.body()).contains("lang=\"en\"", "class=\"skip\"", "role=\"status\"");
        }

        @ParameterizedTest
        @ValueSource(strings = {"app.js", "overview.js", "processes.js", "process.js", "tree.js", "names.js", "dom.js"})
        void whenAScriptIsRead_thenItParsesNoHtml(String script) {
            assertThat(client.send("GET", "/" + script).body())
                    .isNotEmpty()
                    .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(");
        }
    }

    @Nested
    class GivenManyStreams {
        @Test
        void whenThereAreTooMany_thenTheNextIsToldAndOneThatGoesMakesRoom() throws IOException {
            try (Dashboard dashboard =
                    dashboard().interval(Duration.ofMillis(100)).start()) {
                var client = new Client(dashboard);
                var open = new ArrayList<Socket>();
                for (int i = 0; i < Dashboard.STREAMS_MAX; i++) {
                    open.add(client.openStream());
                }

                assertThat(client.send("GET", "/api/stream").statusCode()).isEqualTo(503);
                assertThat(client.send("GET", "/api/overview").statusCode())
                        .as("others are served")
                        .isEqualTo(200);
                open.remove(0).close();
                await().until(() -> client.raw("GET /api/stream HTTP/1.1", "Host: localhost") == 200);
                for (Socket each : open) {
                    each.close();
                }
            }
        }
    }

    @Nested
    class GivenNoControl {
        @Test
        void whenAProcessIsToBeEnded_thenItIsRefusedAndTheWayIsShown() {
            try (Dashboard dashboard = dashboard().start()) {
                var client = new Client(dashboard);

                HttpResponse<String> refused = client.send("POST", end(), Gate.CONTROL_HEADER, "yes");

                assertThat(refused.statusCode()).isEqualTo(403);
                assertThat(refused.body()).contains("allowControl()");
                assertThat(client.json("/api/overview").get("control").asBoolean())
                        .isFalse();
                assertThat(scheduler.find(pid)).isPresent();
            }
        }
    }

    @Nested
    class GivenAToken {
        private final Dashboard dashboard =
                dashboard().token(TOKEN).allowControl().start();
        private final Client client = new Client(dashboard);

        @AfterEach
        void close() {
            dashboard.close();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "/api/overview",
                    "/api/stream",
                    "/api/processes",
                    "/api/process?pid=x",
                    "/api/tree",
                    "/api/names",
                    "/api/incidents",
                    "/metrics"
                })
        void whenItIsMissingOrWrong_thenNothingIsShown(String path) {
            assertThat(client.send("GET", path).statusCode()).isEqualTo(401);
            assertThat(client.send("GET", path, "Authorization", "Bearer " + TOKEN + "0")
                            .statusCode())
                    .isEqualTo(401);
            assertThat(client.send("GET", path, "Authorization", "Basic " + TOKEN)
                            .statusCode())
                    .isEqualTo(401);
            assertThat(client.send("POST", end(), Gate.CONTROL_HEADER, "yes").statusCode())
                    .isEqualTo(401);
        }

        /** A proxy in front may pass its own name on; a site that lets its name point here does not know the token. */
        @Test
        void whenTheHostIsAnother_thenTheTokenDecides() {
            String foreign = "Host: dash.example";
            assertThat(client.raw("GET /api/overview HTTP/1.1", foreign)).isEqualTo(401);
            assertThat(client.raw("GET /api/overview HTTP/1.1", foreign, "Authorization: Bearer " + TOKEN))
                    .isEqualTo(200);
        }

        @Test
        void whenItIsRight_thenAllIsShownAndThePageThatAsksForItNeedsNone() {
            assertThat(client.send("GET", "/api/overview", "Authorization", "Bearer " + TOKEN)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(client.send("GET", "/metrics", "Authorization", "Bearer " + TOKEN)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(client.send("GET", "/").statusCode()).isEqualTo(200);
        }
    }

    @Nested
    class GivenSettings {
        @Test
        void whenItWouldListenToTheNetworkWithoutAToken_thenItDoesNotStart() throws IOException {
            InetAddress all = InetAddress.getByName("0.0.0.0");

            assertThatThrownBy(() -> dashboard().bind(all).start())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("0.0.0.0 without a token");
            assertThatCode(() -> dashboard().bind(all).token(TOKEN).start().close())
                    .doesNotThrowAnyException();
        }

        @Test
        void whenTheTokenCanBeGuessed_thenItIsRefused() {
            assertThatThrownBy(() -> dashboard().token(TOKEN.substring(1))).hasMessageContaining("15 characters");
            assertThatThrownBy(() -> dashboard().token(TOKEN + " \n")).hasMessageContaining("printable ASCII");
        }

        @Test
        void whenTheUsualPortIsTaken_thenTheNextFreeOneIsUsedAndSaid() throws IOException {
            HttpServer taker = null;
            try {
                taker = HttpServer.create(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), DashboardBuilder.PORT_DEFAULT), 0);
            } catch (IOException e) {
                assertThat(e).as("somebody else has it, which does as well").hasMessageContaining("in use");
            }
            try (Dashboard dashboard = Dashboard.of(scheduler).start()) {
                assertThat(dashboard.port())
                        .isBetween(DashboardBuilder.PORT_DEFAULT + 1, DashboardBuilder.PORT_DEFAULT + 100);
                assertThat(dashboard.isPortAsWished()).isFalse();
                assertThat(dashboard.url()).hasPort(dashboard.port()).hasHost("127.0.0.1");
            } finally {
                if (taker != null) {
                    taker.stop(0);
                }
            }
        }

        @Test
        void whenAChosenPortIsTaken_thenItSaysWhichAndWhatToDo() {
            try (Dashboard first = dashboard().start()) {
                assertThatThrownBy(
                                () -> Dashboard.of(scheduler).port(first.port()).start())
                        .isInstanceOf(UncheckedIOException.class)
                        .hasMessageContaining("port " + first.port())
                        .hasMessageContaining("leave the port unset");
            }
            assertThatThrownBy(() -> dashboard().port(65_536)).hasMessageContaining("65536");
            assertThatThrownBy(() -> dashboard().interval(Duration.ofMillis(99)))
                    .hasMessageContaining("PT0.099S");
        }

        @Test
        void whenItRuns_thenItKeepsNoProgramFromEnding() {
            try (Dashboard dashboard = dashboard().start()) {
                new Client(dashboard).json("/api/overview");

                assertThat(Thread.getAllStackTraces().keySet())
                        .filteredOn(thread -> thread.getName().startsWith("treadle-observe")
                                || thread.getName().startsWith("HTTP-Dispatcher"))
                        .isNotEmpty()
                        .allMatch(Thread::isDaemon);
            }
        }

        @Test
        void whenItIsClosed_thenNoThreadOfItIsLeft() {
            Dashboard dashboard = dashboard().start();
            new Client(dashboard).json("/api/overview");

            dashboard.close();

            await().until(() -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("treadle-observe")));
        }
    }
}
