// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** A server that reads the head of a request and then does whatever a test wants, however wrong. */
final class RawServer implements AutoCloseable {
    /** What happens on a connection. */
    interface Talk {
        void with(Socket socket) throws IOException;
    }

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch left = new CountDownLatch(1);

    RawServer(Talk talk) throws IOException {
        daemon(() -> {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
                daemon(() -> serve(socket, talk));
            }
        });
    }

    private void serve(Socket socket, Talk talk) throws IOException {
        try (socket) {
            var head = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            for (String line = head.readLine(); line != null && !line.isEmpty(); line = head.readLine()) {}
            asked.countDown();
            talk.with(socket);
            socket.shutdownOutput();
        } finally {
            left.countDown();
        }
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void daemon(Task task) {
        var thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException e) {
                // The other side, or the end of the test, has closed the connection.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits until the client closes the connection. */
    static void untilClosed(Socket socket) throws IOException {
        while (socket.getInputStream().read() >= 0) {}
    }

    static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
    }

    /** Opens when the first request has come. */
    CountDownLatch asked() {
        return asked;
    }

    /** Opens when the first connection is at its end. */
    CountDownLatch left() {
        return left;
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
