// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.treadle.Command;
import dev.treadle.CommandRegistry;
import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import dev.treadle.node.Node;
import dev.treadle.node.NodeContext;
import dev.treadle.node.Spawn;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A chat room in the browser, with server-sent events over the JDK's own HTTP server. Each visitor is a process; the room is
 * a group.
 *
 * <pre>
 *   POST /say ----> broadcast to group "room" ----> Visitor ----> Emit ----> the open reply to GET /events
 * </pre>
 *
 * <p>A visitor whose connection breaks fails with the write, ends, and has thereby left the group: there is no list to keep.
 * One that reads slowly has its messages wait in its mailbox, and loses those beyond the bound; the others notice nothing.
 */
public final class ChatRoom implements AutoCloseable {
    private static final String ROOM = "room";
    private static final int UNREAD_MAX = 1_000;
    private static final int LINE_MAX = 1_000;
    private static final Duration WRITE_TIME_MAX = Duration.ofSeconds(30);

    /** Writes to a visitor's connection; this may block. */
    private record Emit(HttpExchange connection, String text) implements Command {
        Void run() throws IOException {
            connection.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
            connection.getResponseBody().flush();
            return null;
        }
    }

    private final Node node;
    private final HttpServer server;

    /** Opens a room on this machine; port 0 takes any that is free. */
    public ChatRoom(int port) throws IOException {
        var registry = new CommandRegistry().registerBlocking(Emit.class, 100, Emit::run);
        node = Node.builder()
                .name("chat")
                .host("main", host -> host.handlers(registry))
                .start();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", exchange -> reply(exchange, "text/html", PAGE));
        server.createContext("/events", this::join);
        server.createContext("/say", this::say);
        server.start();
    }

    /** Returns where it is. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    /** The handler returns, and the connection stays open: from now on it is the visitor's. */
    private void join(HttpExchange connection) throws IOException {
        connection.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
        connection.sendResponseHeaders(200, 0);
        node.spawn(Spawn.of(() -> new Visitor(connection)).with(options -> options.mailboxCapacity(UNREAD_MAX)));
    }

    private void say(HttpExchange exchange) throws IOException {
        String line = new String(exchange.getRequestBody().readNBytes(LINE_MAX), StandardCharsets.UTF_8);
        int heard = node.groups().broadcast(ROOM, "line", line.replaceAll("\\R", " "));
        reply(exchange, "text/plain", "heard by " + heard);
    }

    private static void reply(HttpExchange exchange, String type, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        node.close(); // ends the visitors, who close their connections
        server.stop(0);
    }

    /** Somebody who has the page open. */
    private static final class Visitor implements Process {
        private final HttpExchange connection;
        private NodeContext node;
        private boolean joined;

        Visitor(HttpExchange connection) {
            this.connection = connection;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            node = NodeContext.of(context);
        }

        @Override
        public void step(Events events, StepOutput out) {
            var text = new StringBuilder(); // one write for all that has come
            if (!joined) {
                joined = true;
                node.join(ROOM);
                text.append("data: You are in the room.\n\n");
            }
            for (Event event : events) {
                if (event instanceof Message message) {
                    text.append("data: ").append(message.payload(String.class)).append("\n\n");
                } else if (event instanceof Completion completion && completion.isFailed()) {
                    out.done(); // the page was closed
                    return;
                } else if (event instanceof Signal signal && signal.isCancel()) {
                    out.done();
                    return;
                }
            }
            if (!text.isEmpty()) {
                out.yield(new Emit(connection, text.toString()), 1, WRITE_TIME_MAX);
                out.await(); // messages wait until this is written, so that lines stay in order
            }
        }

        @Override
        public void close() {
            connection.close();
        }
    }

    private static final String PAGE = """
            <!doctype html>
            <title>Chat room</title>
            <form><input autofocus placeholder="Say something"></form>
            <ul></ul>
            <script>
              const input = document.querySelector("input");
              new EventSource("/events").onmessage = event => {
                const line = document.createElement("li");
                line.textContent = event.data; // as text: what others say is not to be trusted
                document.querySelector("ul").prepend(line);
              };
              document.querySelector("form").onsubmit = event => {
                event.preventDefault();
                fetch("/say", { method: "POST", body: input.value });
                input.value = "";
              };
            </script>
            """;

    /** Opens a room until the program is ended. */
    public static void main(String[] args) throws Exception {
        try (var room = new ChatRoom(8080)) {
            System.out.println("Open " + room.address() + " in two windows. Ctrl-C ends it.");
            Thread.currentThread().join();
        }
    }
}
