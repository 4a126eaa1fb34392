// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.treadle.CommandOverloadException;
import dev.treadle.CommandTimeoutException;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpExchangeTest {
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";

    private final ExecutorService serving = Executors.newCachedThreadPool();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger held = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(serving);
        on("/echo", 200, request -> request);
        on("/missing", 404, request -> "no such thing");
        server.createContext("/size/", exchange -> {
            byte[] body =
                    new byte[Integer.parseInt(exchange.getRequestURI().getPath().substring(6))];
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.createContext("/old", exchange -> {
            exchange.getResponseHeaders().set("Location", "/echo");
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        server.createContext("/latin", exchange -> {
            byte[] body = "Grüße".getBytes(ISO_8859_1);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=ISO-8859-1");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.createContext("/held", exchange -> {
            held.incrementAndGet();
            await(gate);
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
    }

    private void on(String path, int status, UnaryOperator<String> answer) {
        server.createContext(path, exchange -> {
            String request = exchange.getRequestMethod() + " "
                    + exchange.getRequestHeaders().getOrDefault("X-Colour", List.of()) + " "
                    + new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            byte[] body = answer.apply(request).getBytes(UTF_8);
            exchange.getResponseHeaders().set("X-Answer", "yes");
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    @AfterEach
    void stop() {
        gate.countDown();
        server.stop(0);
        serving.shutdownNow();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).as("in time").isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private static Scheduler start(UnaryOperator<HttpHandlers> settings) {
        return LoneCommand.scheduler(
                registry -> settings.apply(HttpHandlers.withDefaults()).register(registry));
    }

    private static Scheduler start() {
        return start(settings -> settings);
    }

    @Test
    void methodHeadersAndBodyReachTheServerAndItsReplyComesBack() {
        try (Scheduler scheduler = start()) {
            HttpReply reply = LoneCommand.run(
                    scheduler,
                    HttpExchange.post(uri("/echo"), "Grüße")
                            .withHeader("X-Colour", "red")
                            .withHeader("x-colour", "blue"),
                    HttpReply.class);

            assertThat(reply.text()).isEqualTo("POST [red, blue] Grüße");
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.isSuccess()).isTrue();
            assertThat(reply.header("x-answer")).contains("yes");
            assertThat(reply.uri()).isEqualTo(uri("/echo"));
        }
    }

    @Test
    void aReplyThatSaysNoIsAReply() {
        try (Scheduler scheduler = start()) {
            HttpReply reply = LoneCommand.run(scheduler, HttpExchange.get(uri("/missing")), HttpReply.class);

            assertThat(reply.status()).isEqualTo(404);
            assertThat(reply.isSuccess()).isFalse();
            assertThat(reply.text()).isEqualTo("no such thing");
        }
    }

    @Test
    void theTextIsReadInTheCharsetThatTheServerNames() {
        try (Scheduler scheduler = start()) {
            assertThat(LoneCommand.run(scheduler, HttpExchange.get(uri("/latin")), HttpReply.class)
                            .text())
                    .isEqualTo("Grüße");
        }
    }

    @Test
    void redirectsAreForTheProcessToFollowUnlessTheClientSaysOtherwise() {
        try (Scheduler scheduler = start()) {
            HttpReply reply = LoneCommand.run(scheduler, HttpExchange.get(uri("/old")), HttpReply.class);

            assertThat(reply.status()).isEqualTo(302);
            assertThat(reply.header("Location")).contains("/echo");
        }
        HttpClient follows = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();
        try (Scheduler scheduler =
                LoneCommand.scheduler(registry -> HttpHandlers.over(follows).register(registry))) {
            HttpReply reply = LoneCommand.run(scheduler, HttpExchange.get(uri("/old")), HttpReply.class);

            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.uri()).isEqualTo(uri("/echo"));
        }
    }

    @Nested
    class GivenABadServer {
        @Test
        void whenNobodyListens_thenItIsNotConnected() throws IOException {
            int port;
            try (var socket = new ServerSocket(0)) {
                port = socket.getLocalPort();
            }
            try (Scheduler scheduler = start()) {
                var error = LoneCommand.fail(
                        scheduler,
                        HttpExchange.get(URI.create("http://user:secret@127.0.0.1:" + port + "/x?key=secret")),
                        HttpFailedException.class);

                assertThat(error.reason()).isEqualTo(HttpFailedException.Reason.NOT_CONNECTED);
                assertThat(error)
                        .hasMessageContainingAll("GET", "http://127.0.0.1:" + port + "/x", "check the address")
                        .hasMessageNotContaining("secret");
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "this is no HTTP at all\r\n\r\n",
                    "",
                    "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly so much",
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n"
                })
        void whenTheReplyIsGarbageOrCutShort_thenItIsBroken(String reply) throws IOException {
            try (var raw = new RawServer(socket -> RawServer.write(socket, reply));
                    Scheduler scheduler = start()) {
                var error = LoneCommand.fail(scheduler, HttpExchange.get(raw.uri()), HttpFailedException.class);

                assertThat(error.reason()).isEqualTo(HttpFailedException.Reason.BROKEN);
                assertThat(error).hasMessageContaining("no whole reply").hasCauseInstanceOf(IOException.class);
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"", HEAD + "Content-Length: 100\r\n\r\nonly so much"})
        void whenTheReplyIsSlow_thenItTimesOutAndTheConnectionIsClosed(String beginning) throws IOException {
            try (var raw = new RawServer(socket -> {
                        RawServer.write(socket, beginning);
                        RawServer.untilClosed(socket);
                    });
                    Scheduler scheduler = start()) {
                var error = LoneCommand.fail(
                        scheduler,
                        HttpExchange.get(raw.uri()).withTimeout(Duration.ofSeconds(2)),
                        HttpFailedException.class);

                assertThat(error.reason()).isEqualTo(HttpFailedException.Reason.TIMEOUT);
                assertThat(error).hasMessageContainingAll("PT2S", "allow it more time");
                await(raw.left());
            }
        }

        @Test
        void whenTheRegistrationHasATimeout_thenItHoldsForThoseWithoutOne() throws IOException {
            try (var raw = new RawServer(RawServer::untilClosed);
                    Scheduler scheduler = start(settings -> settings.timeout(Duration.ofMillis(100)))) {
                var error = LoneCommand.fail(scheduler, HttpExchange.get(raw.uri()), HttpFailedException.class);

                assertThat(error.reason()).isEqualTo(HttpFailedException.Reason.TIMEOUT);
            }
        }

        @Test
        void whenTheYieldTimesOut_thenTheConnectionIsClosed() throws IOException {
            try (var raw = new RawServer(RawServer::untilClosed);
                    Scheduler scheduler = start()) {
                ProcessRef process = LoneCommand.start(scheduler, HttpExchange.get(raw.uri()), Duration.ofSeconds(2));

                assertThat(LoneCommand.error(process, CommandTimeoutException.class))
                        .isNotNull();
                await(raw.left());
            }
        }

        @Test
        void whenTheReplyHasNoEnd_thenItIsGivenUpAtTheLimitAndNoMoreIsRead() throws IOException {
            var sent = new AtomicLong();
            byte[] chunk = ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes(ISO_8859_1);
            try (var raw = new RawServer(socket -> {
                        RawServer.write(socket, HEAD + "Transfer-Encoding: chunked\r\n\r\n");
                        while (sent.addAndGet(chunk.length) < 1L << 30) {
                            socket.getOutputStream().write(chunk);
                        }
                    });
                    Scheduler scheduler = start(settings -> settings.bodyMax(1 << 20))) {
                var error = LoneCommand.fail(scheduler, HttpExchange.get(raw.uri()), HttpFailedException.class);

                assertThat(error.reason()).isEqualTo(HttpFailedException.Reason.TOO_LARGE);
                assertThat(error).hasMessageContainingAll("1048576", "bodyMax", "raise it");
                await(raw.left());
                assertThat(sent.get())
                        .as("what fits into the buffers of the sockets besides")
                        .isLessThan(64L << 20);
            }
        }

        @Test
        void whenTheReplyAnnouncesTooMuch_thenItIsGivenUp() throws IOException {
            try (var raw = new RawServer(socket -> {
                        RawServer.write(socket, HEAD + "Content-Length: 1000000000000\r\n\r\nx");
                        RawServer.untilClosed(socket);
                    });
                    Scheduler scheduler = start()) {
                var error = LoneCommand.fail(scheduler, HttpExchange.get(raw.uri()), HttpFailedException.class);

                assertThat(error.reason()).isEqualTo(HttpFailedException.Reason.TOO_LARGE);
                await(raw.left());
            }
        }

        @Test
        void whenTheBodyIsAsLargeAsAllowed_thenItPassesAndOneByteMoreDoesNot() {
            try (Scheduler scheduler = start(settings -> settings.bodyMax(100_000))) {
                assertThat(LoneCommand.run(scheduler, HttpExchange.get(uri("/size/100000")), HttpReply.class)
                                .body()
                                .size())
                        .isEqualTo(100_000);
                assertThat(LoneCommand.fail(scheduler, HttpExchange.get(uri("/size/100001")), HttpFailedException.class)
                                .reason())
                        .isEqualTo(HttpFailedException.Reason.TOO_LARGE);
            }
        }
    }

    @Nested
    class GivenAsManyAsMayRun {
        @Test
        void whenOneMoreComes_thenItWaitsAndAThirdIsRefused() {
            try (Scheduler scheduler = start(settings -> settings.runningMax(2).waitingMax(1))) {
                ProcessRef first = LoneCommand.start(scheduler, HttpExchange.get(uri("/held")));
                ProcessRef second = LoneCommand.start(scheduler, HttpExchange.get(uri("/held")));
                Soon.until(() -> held.get() == 2);
                ProcessRef waiting = LoneCommand.start(scheduler, HttpExchange.get(uri("/held")));
                Soon.until(() -> waiting.inspect().orElseThrow().yieldsInFlight() == 1);

                assertThat(LoneCommand.fail(scheduler, HttpExchange.get(uri("/held")), CommandOverloadException.class))
                        .hasMessageContainingAll("HttpExchange", "2 run and 1 wait", "raise the limits");
                assertThat(held).as("the third was not sent").hasValue(2);
                gate.countDown();
                for (ProcessRef each : List.of(first, second, waiting)) {
                    assertThat(LoneCommand.completion(each)
                                    .data(HttpReply.class)
                                    .status())
                            .isEqualTo(204);
                }
            }
        }

        @Test
        void whenTheWaitingOneIsCancelled_thenItIsAnsweredAtOnceAndNeverSent() {
            try (Scheduler scheduler = start(settings -> settings.runningMax(1).waitingMax(1))) {
                ProcessRef first = LoneCommand.start(scheduler, HttpExchange.get(uri("/held")));
                Soon.until(() -> held.get() == 1);
                ProcessRef waiting = LoneCommand.start(scheduler, HttpExchange.get(uri("/held")));
                Soon.until(() -> waiting.inspect().orElseThrow().yieldsInFlight() == 1);
                scheduler.cancel(waiting.pid(), "no longer wanted");

                assertThat(LoneCommand.error(waiting, CancellationException.class))
                        .isNotNull();
                ProcessRef next = LoneCommand.start(scheduler, HttpExchange.get(uri("/echo")));
                gate.countDown();
                assertThat(LoneCommand.completion(next).isFailed())
                        .as("the place in the queue is free again")
                        .isFalse();
                assertThat(LoneCommand.completion(first).isFailed()).isFalse();
                assertThat(held).hasValue(1);
            }
        }
    }

    @Nested
    class GivenAnExchangeThatRuns {
        @Test
        void whenTheProcessIsCancelled_thenTheConnectionIsClosedAndTheProcessIsTold() throws IOException {
            try (var raw = new RawServer(RawServer::untilClosed);
                    Scheduler scheduler = start(settings -> settings.runningMax(1))) {
                ProcessRef process = LoneCommand.start(scheduler, HttpExchange.get(raw.uri()));
                await(raw.asked());
                scheduler.cancel(process.pid(), "enough");

                assertThat(LoneCommand.error(process, CancellationException.class))
                        .hasMessageContaining("nobody wants the answer");
                await(raw.left());
                assertThat(LoneCommand.run(scheduler, HttpExchange.get(uri("/echo")))
                                .isFailed())
                        .as("the place is free again")
                        .isFalse();
            }
        }

        @Test
        void whenTheProcessEnds_thenTheConnectionIsClosed() throws IOException {
            try (var raw = new RawServer(RawServer::untilClosed);
                    Scheduler scheduler = start()) {
                ProcessRef process = LoneCommand.start(scheduler, HttpExchange.get(raw.uri()));
                await(raw.asked());
                scheduler.terminate(process.pid());

                await(raw.left());
            }
        }

        @Test
        void whenTheSchedulerIsShutDown_thenTheConnectionIsClosed() throws IOException {
            try (var raw = new RawServer(RawServer::untilClosed)) {
                try (Scheduler scheduler = start()) {
                    LoneCommand.start(scheduler, HttpExchange.get(raw.uri()));
                    await(raw.asked());
                }

                await(raw.left());
            }
        }
    }

    @Nested
    class GivenWhatCannotBeSent {
        @ParameterizedTest
        @ValueSource(strings = {"/relative", "ftp://host/file", "http:opaque", "mailto:me@example.org"})
        void whenTheUriIsNotHttp_thenItIsRefusedWhereItIsMade(String uri) {
            assertThatThrownBy(() -> HttpExchange.get(URI.create(uri)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("absolute http or https URI");
        }

        @Test
        void whenMethodHeaderOrTimeoutAreWrong_thenTheyAreRefused() {
            HttpExchange fine = HttpExchange.get(uri("/"));

            assertThatThrownBy(() -> HttpExchange.of("NOT A WORD", uri("/"))).hasMessageContaining("NOT A WORD");
            assertThatThrownBy(() -> fine.withHeader("Host", "elsewhere")).hasMessageContaining("Host");
            assertThatThrownBy(() -> fine.withHeader("X", "a\r\nY: b")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> fine.withTimeout(Duration.ZERO)).hasMessageContaining("timeout of GET was PT0S");
        }

        @Test
        void whenSettingsAreWrong_thenAllAreNamed() {
            assertThatThrownBy(() -> start(settings ->
                            settings.runningMax(0).waitingMax(-1).bodyMax(-1).timeout(Duration.ZERO)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll(
                            "runningMax was 0", "waitingMax was -1", "bodyMax was -1", "timeout was PT0S");
        }

        @Test
        void whenItIsPrinted_thenSecretsAreLeftOut() {
            HttpExchange exchange = HttpExchange.post(URI.create("http://a:secret@host/path?key=secret"), "secret")
                    .withHeader("Authorization", "secret");
            var reply = new HttpReply(
                    200,
                    HttpHeaders.of(Map.of("Set-Cookie", List.of("secret")), (n, v) -> true),
                    Bytes.of("secret"),
                    exchange.uri());

            assertThat(exchange.toString()).contains("POST http://host/path").doesNotContain("secret");
            assertThat(reply.toString()).contains("200 from http://host/path").doesNotContain("secret");
        }
    }
}
