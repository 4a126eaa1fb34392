// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.treadle.CommandRegistry;
import dev.treadle.Scheduler;
import dev.treadle.commands.HttpHandlers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CrawlerTest {
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Map<String, String> PAGES = Map.of(
            "/", "<a href=\"/a\">a</a> <a href=\"b\">b</a> <a href=\"mailto:x@y\">x</a> <a href=\"::\">no link</a>",
            "/a", "<a href=\"/\">home</a> <a href=\"/c#part\">c</a>",
            "/b", "<a href=\"/gone\">gone</a>",
            "/c", "no links");

    private final List<Long> requests = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.add(System.nanoTime());
            String page = PAGES.get(exchange.getRequestURI().getPath());
            byte[] body = (page == null ? "not found" : page).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(page == null ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void whenItCrawls_thenEachPageIsVisitedOnceWithAPauseBetween() throws Exception {
        assertThat(crawl(page("/"), 100))
                .isEqualTo(
                        Map.of(page("/"), 200, page("/a"), 200, page("/b"), 200, page("/c"), 200, page("/gone"), 404));

        assertThat(requests).hasSize(5);
        for (int i = 1; i < requests.size(); i++) {
            assertThat(requests.get(i) - requests.get(i - 1)).isGreaterThanOrEqualTo(PAUSE.toNanos());
        }
    }

    @Test
    void whenThereAreMorePagesThanItMayVisit_thenItStopsThere() throws Exception {
        assertThat(crawl(page("/"), 2)).isEqualTo(Map.of(page("/"), 200, page("/a"), 200));
    }

    @Test
    void whenASiteDoesNotAnswer_thenThePageHasNoStatus() throws Exception {
        URI page = page("/");
        server.stop(0);

        assertThat(crawl(page, 10)).isEqualTo(Map.of(page, 0));
    }

    private static Object crawl(URI first, int pagesMax) throws Exception {
        CommandRegistry registry = HttpHandlers.over(HttpClient.newHttpClient()).register(new CommandRegistry());
        try (Scheduler scheduler =
                Scheduler.builder().workers(2).handlers(registry).start()) {
            return scheduler
                    .submit(new Crawler(pagesMax, PAUSE), "main", first)
                    .result()
                    .get();
        }
    }

    private URI page(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }
}
