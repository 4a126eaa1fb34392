// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.treadle.ProcessRef;
import dev.treadle.cli.demo.Device.State;
import dev.treadle.commands.SqlRows;
import dev.treadle.node.Node;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The demo's HTTP endpoint, on this machine only: asks processes, and writes what they reply. */
final class DemoApi implements AutoCloseable {
    private static final int THREADS = 4;
    private static final int BODY_MAX = 100;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Pattern DEVICE = Pattern.compile("/devices/([0-9]{1,9})(/target|/break)?");
    private static final String HELP = """
            The treadle demo. Try:
              curl %1$sdevices/42                       what a device says
              curl -d 30 %1$sdevices/42/target          heat it
              curl -X POST %1$sdevices/42/break         break it: its site starts it again
              curl %1$shottest                          asked from the database
            """;

    private final HttpServer server;
    private final ExecutorService threads;
    private @Nullable Node node;

    private DemoApi(HttpServer server) {
        this.server = server;
        var count = new AtomicInteger();
        threads = Executors.newFixedThreadPool(THREADS, task -> {
            var thread = new Thread(task, "treadle-demo-http-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
    }

    /** Takes the port, or another one if it is taken. Nothing is answered before {@link #serve}. */
    static DemoApi bind(int port) throws IOException {
        try {
            return new DemoApi(HttpServer.create(address(port), 0));
        } catch (BindException e) {
            return new DemoApi(HttpServer.create(address(0), 0));
        }
    }

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    void serve(Node node) {
        this.node = node;
        server.createContext("/", this::help);
        server.createContext("/devices/", this::device);
        server.createContext("/hottest", exchange -> ask(exchange, find(Recorder.NAME), Recorder.HOTTEST));
        server.start();
    }

    private void help(HttpExchange exchange) throws IOException {
        boolean found = exchange.getRequestURI().getPath().equals("/");
        reply(exchange, found ? 200 : 404, HELP.formatted(uri()));
    }

    private void device(HttpExchange exchange) throws IOException {
        Matcher path = DEVICE.matcher(exchange.getRequestURI().getPath());
        if (!path.matches()) {
            reply(exchange, 404, "nothing here: try " + uri() + "devices/42\n");
            return;
        }
        Optional<ProcessRef> device = find(Demo.deviceName(Integer.parseInt(path.group(1))));
        if (path.group(2) == null) {
            ask(exchange, device, Device.STATE);
        } else if (!exchange.getRequestMethod().equals("POST")) {
            reply(exchange, 405, exchange.getRequestMethod() + " was used, must be POST: it changes something\n");
        } else if (path.group(2).equals("/break")) {
            send(exchange, device, Device.BREAK, null);
        } else {
            String body = new String(exchange.getRequestBody().readNBytes(BODY_MAX), StandardCharsets.UTF_8).strip();
            try {
                send(exchange, device, Device.TARGET, Double.parseDouble(body));
            } catch (NumberFormatException e) {
                reply(exchange, 400, "target was \"" + body + "\", must be a number: send 30, say\n");
            }
        }
    }

    private Optional<ProcessRef> find(String name) {
        Node node = this.node;
        return node == null ? Optional.empty() : node.names().find(name).flatMap(node::find);
    }

    private static void send(HttpExchange exchange, Optional<ProcessRef> ref, String topic, @Nullable Object payload)
            throws IOException {
        boolean sent = ref.isPresent() && ref.get().send(topic, payload).isDelivered();
        reply(exchange, sent ? 202 : 404, sent ? "told\n" : "not there now\n");
    }

    /** No thread waits for the reply: it is written when it comes. */
    private void ask(HttpExchange exchange, Optional<ProcessRef> ref, String topic) throws IOException {
        if (ref.isEmpty()) {
            reply(exchange, 404, "not there now\n");
            return;
        }
        var unused = ref.get()
                .ask(topic, null, TIMEOUT)
                .whenCompleteAsync(
                        (reply, failure) -> {
                            try {
                                reply(
                                        exchange,
                                        failure == null ? 200 : 503,
                                        failure == null ? json(reply) : failure + "\n");
                            } catch (IOException e) {
                                exchange.close(); // who asked has gone
                            }
                        },
                        threads);
    }

    private static String json(@Nullable Object reply) {
        if (reply instanceof State state) {
            return String.format(
                    Locale.ROOT,
                    "{\"device\": \"%s\", \"value\": %.2f, \"target\": %.2f, \"readings\": %d}%n",
                    state.device(),
                    state.value(),
                    state.target(),
                    state.readings());
        }
        if (reply instanceof SqlRows rows) {
            return rows.rows().stream()
                    .map(row -> String.format(
                            Locale.ROOT,
                            "  {\"site\": %s, \"readings\": %s, \"highest\": %s}",
                            row.get(0),
                            row.get(1),
                            row.get(2)))
                    .collect(Collectors.joining(",\n", "[\n", "\n]\n"));
        }
        return "\"" + reply + "\"\n";
    }

    private static void reply(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders()
                .set(
                        "Content-Type",
                        (text.startsWith("{") || text.startsWith("[")) ? "application/json" : "text/plain");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
