// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.treadle.Scheduler;
import dev.treadle.node.Node;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A web page that shows what a node, or one scheduler, is doing now; with the same as JSON, as a stream of events, and as
 * metrics for Prometheus at {@code /metrics}.
 *
 * <pre>{@code
 * try (Dashboard dashboard = Dashboard.of(node).start()) {
 *     System.out.println("look at " + dashboard.url());
 *     ...
 * }
 * }</pre>
 *
 * <p>It listens on the loopback address, port 7700 or the next one that is free, and only shows. To be reached from other
 * machines it needs a token; to end processes from it, it has to be told so. It uses no file from elsewhere. Close it when you
 * are done: it does not end the node, nor does the end of the node end it.
 */
public final class Dashboard implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.treadle.observe");

    /** How many clients can have the page open, or ask something, at a time; the next one is told to come back. */
    static final int CLIENTS_MAX = 64;

    static final int STREAMS_MAX = CLIENTS_MAX / 2;

    private static final Duration STREAM_SILENCE_MAX = Duration.ofSeconds(15);

    /** No script but ours, nothing from elsewhere, in nobody's frame. */
    private static final String CONTENT_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    static {
        // Before JDK 21 the server sends head and body of an answer in two packets, and the second waits for the client
        // to
        // confirm the first, for 40 ms, unless told not to. It reads this once, when its first server is made.
        if (System.getProperty("sun.net.httpserver.nodelay") == null) {
            System.setProperty("sun.net.httpserver.nodelay", "true");
        }
    }

    private final HttpServer server;
    private final Sampler sampler;
    private final Routes routes;
    private final Gate gate;
    private final ExecutorService threads;
    private final AtomicInteger streams = new AtomicInteger();
    private final boolean asWished;

    Dashboard(Subject subject, DashboardBuilder settings, HttpServer server, boolean asWished) {
        this.server = server;
        this.asWished = asWished;
        this.sampler = new Sampler(subject, settings.interval);
        this.routes = new Routes(subject, sampler, settings);
        this.gate = new Gate(settings.token, settings.control);
        var number = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(0, CLIENTS_MAX, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            var thread = new Thread(task, "treadle-observe-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Returns a builder of a dashboard for a node. */
    public static DashboardBuilder of(Node node) {
        return new DashboardBuilder(Subject.of(Objects.requireNonNull(node, "node is null: give what to look at")));
    }

    /** Returns a builder of a dashboard for one scheduler. */
    public static DashboardBuilder of(Scheduler scheduler) {
        return new DashboardBuilder(
                Subject.of(Objects.requireNonNull(scheduler, "scheduler is null: give what to look at")));
    }

    void start() {
        sampler.start();
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        startServer();
        LOG.log(
                Level.INFO,
                "dashboard at {0}{1}",
                url(),
                isPortAsWished() ? "" : " (another port, the usual one is taken)");
    }

    /** The server's own thread is a daemon if the one is that starts it: who looks must not keep a program from ending. */
    private void startServer() {
        var starter = new Thread(server::start, "treadle-observe-starter");
        starter.setDaemon(true);
        starter.start();
        try {
            starter.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it starts all the same
        }
    }

    /** Returns where the page is. */
    public URI url() {
        InetSocketAddress address = server.getAddress();
        String host = address.getAddress().isAnyLocalAddress()
                ? "localhost"
                : address.getAddress().getHostAddress();
        return URI.create("http://" + (host.indexOf(':') < 0 ? host : "[" + host.replaceAll("%.*", "") + "]") + ":"
                + address.getPort() + "/");
    }

    /** Returns the port. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** Returns false if it listens on another port than the usual one, since that is taken. Tell people so. */
    public boolean isPortAsWished() {
        return asWished;
    }

    /** Stops listening, and lets go of those who look. */
    @Override
    public void close() {
        sampler.close();
        server.stop(0);
        threads.shutdownNow();
    }

    // Requests. A thread of the dashboard's own for each.

    private void handle(HttpExchange exchange) {
        try (exchange) {
            Headers headers = exchange.getResponseHeaders();
            headers.set("Content-Security-Policy", CONTENT_POLICY);
            headers.set("X-Content-Type-Options", "nosniff");
            headers.set("Referrer-Policy", "no-referrer");
            headers.set("Cross-Origin-Resource-Policy", "same-origin");
            headers.set("Cross-Origin-Opener-Policy", "same-origin");
            headers.set("Cache-Control", "no-store");
            String path = exchange.getRequestURI().getPath();
            Reply refusal = gate.refusal(exchange, Routes.isSecret(path));
            if (refusal == null && path.equals(Routes.STREAM)) {
                stream(exchange);
            } else {
                send(exchange, refusal != null ? refusal : answer(exchange, path));
            }
        } catch (IOException e) {
            return; // the client has gone
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the dashboard is being closed
        }
    }

    private Reply answer(HttpExchange exchange, String path) {
        try {
            var parameters = new Parameters(exchange.getRequestURI().getRawQuery());
            return routes.answer(exchange.getRequestMethod(), path, parameters);
        } catch (BadRequestException e) {
            return Reply.problem(Reply.BAD_REQUEST, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "the dashboard could not answer " + path, e);
            return Reply.problem(
                    Reply.SERVER_ERROR,
                    "the dashboard failed with " + e.getClass().getTypeName() + ": its log says more");
        }
    }

    private static void send(HttpExchange exchange, Reply reply) throws IOException {
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", reply.type());
        if (reply.status() == Reply.UNAUTHORIZED) {
            headers.set("WWW-Authenticate", "Bearer");
        }
        if (exchange.getRequestMethod().equals("HEAD")) {
            headers.set("Content-Length", Integer.toString(body.length));
            exchange.sendResponseHeaders(reply.status(), -1);
            return;
        }
        exchange.sendResponseHeaders(reply.status(), body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    /** Server-sent events: the overview, each time there is a newer sample. */
    private void stream(HttpExchange exchange) throws IOException, InterruptedException {
        if (streams.incrementAndGet() > STREAMS_MAX) {
            streams.decrementAndGet();
            send(exchange, Reply.problem(Reply.UNAVAILABLE, STREAMS_MAX + " pages are open already: close one"));
            return;
        }
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
            exchange.sendResponseHeaders(Reply.OK, 0);
            OutputStream out = exchange.getResponseBody();
            Sampler.@Nullable History history = sampler.history();
            long seen = 0;
            while (!sampler.isClosed()) {
                String event = ": still here\n\n";
                if (history != null) {
                    seen = history.taken();
                    event = "event: overview\ndata: " + routes.overview().json(history) + "\n\n";
                }
                out.write(event.getBytes(StandardCharsets.UTF_8));
                out.flush();
                history = sampler.awaitNewer(seen, STREAM_SILENCE_MAX);
            }
        } finally {
            streams.decrementAndGet();
        }
    }

    @Override
    public String toString() {
        return "Dashboard[" + url() + "]";
    }
}
