// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A PostgreSQL server of a test's own, in a folder that is deleted afterwards. */
final class PostgresServer implements AutoCloseable {
    private final Path folder;
    private final int port;
    private final Process server;

    private PostgresServer(Path folder, int port, Process server) {
        this.folder = folder;
        this.port = port;
        this.server = server;
    }

    /** Starts one, or skips the test where there is no PostgreSQL, or no user that may run it. */
    static PostgresServer startOrSkip() throws Exception {
        Optional<Path> programs = programs();
        assumeTrue(
                programs.isPresent(),
                "PostgreSQL is not installed here: no initdb on the path or in /usr/lib/postgresql");
        Optional<List<String>> as = asUser();
        assumeTrue(as.isPresent(), "PostgreSQL does not run as root, and there is no setpriv or no user nobody");
        Path folder = Files.createTempDirectory("treadle-postgres");
        try {
            return start(programs.orElseThrow(), as.orElseThrow(), folder);
        } catch (Exception | Error e) {
            delete(folder);
            throw e;
        }
    }

    private static PostgresServer start(Path programs, List<String> as, Path folder) throws Exception {
        if (!as.isEmpty()) {
            run(List.of("chown", "nobody", folder.toString()), folder);
        }
        Path data = folder.resolve("data");
        run(
                command(
                        as,
                        programs.resolve("initdb"),
                        "-D",
                        data,
                        "-U",
                        "treadle",
                        "-A",
                        "trust",
                        "-N",
                        "-E",
                        "UTF8",
                        "--locale=C"),
                folder);
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Process process = new ProcessBuilder(command(
                        as,
                        programs.resolve("postgres"),
                        "-D",
                        data,
                        "-p",
                        port,
                        "-c",
                        "listen_addresses=127.0.0.1",
                        "-c",
                        "unix_socket_directories=",
                        "-c",
                        "fsync=off"))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        var server = new PostgresServer(folder, port, process);
        Awaitility.await("PostgreSQL answers").atMost(Duration.ofSeconds(60)).until(server::answers);
        return server;
    }

    private static List<String> command(List<String> as, Object... parts) {
        var command = new ArrayList<>(as);
        Stream.of(parts).map(Object::toString).forEach(command::add);
        return command;
    }

    private static void run(List<String> command, Path folder) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(command + " failed:\n" + output);
        }
    }

    private static Optional<Path> programs() throws IOException {
        var folders = new ArrayList<Path>();
        for (String folder : System.getenv("PATH").split(File.pathSeparator, -1)) {
            folders.add(Path.of(folder));
        }
        Path debian = Path.of("/usr/lib/postgresql");
        if (Files.isDirectory(debian)) {
            try (Stream<Path> versions = Files.list(debian)) {
                versions.sorted(Comparator.reverseOrder())
                        .map(version -> version.resolve("bin"))
                        .forEach(folders::add);
            }
        }
        return folders.stream()
                .filter(folder ->
                        Files.isExecutable(folder.resolve("initdb")) && Files.isExecutable(folder.resolve("postgres")))
                .findFirst();
    }

    /** What to put before a command so that it does not run as root; nothing for other users. */
    private static Optional<List<String>> asUser() throws IOException, InterruptedException {
        if (!System.getProperty("user.name").equals("root")) {
            return Optional.of(List.of());
        }
        List<String> as = List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups");
        try {
            Process process = new ProcessBuilder(command(as, "true")).start();
            return process.waitFor() == 0 ? Optional.of(as) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private boolean answers() {
        if (!server.isAlive()) {
            throw new AssertionError("PostgreSQL ended with code " + server.exitValue());
        }
        try (Connection connection = DriverManager.getConnection(url())) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=treadle";
    }

    /** Asks it to end when the last client has left; one that cannot leave is a statement that was not stopped. */
    @Override
    public void close() throws IOException {
        server.destroy();
        try {
            Soon.until("PostgreSQL ends", () -> !server.isAlive());
        } finally {
            server.descendants().forEach(ProcessHandle::destroyForcibly);
            server.destroyForcibly();
            Soon.until("PostgreSQL is killed", () -> !server.isAlive());
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
