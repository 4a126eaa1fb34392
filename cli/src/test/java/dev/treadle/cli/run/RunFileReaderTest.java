// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.node.Restart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RunFileReaderTest {
    private static final String SERVICE = "services:\n  a:\n    process: A\n";

    @TempDir
    Path folder;

    @Test
    void whenAllIsSaid_thenAllIsRead() throws Exception {
        Files.createDirectories(folder.resolve("lib"));
        Files.createFile(folder.resolve("lib/b.jar"));
        Files.createFile(folder.resolve("lib/a.jar"));
        Files.createFile(folder.resolve("lib/readme.txt"));
        Files.createFile(folder.resolve("app.jar"));

        RunFile file = read("""
                name: shop
                class-path: [app.jar, lib/*]
                hosts:
                  users:
                    workers: ${WORKERS}
                    max-processes: 1_000
                    mailbox-capacity: 10
                  system:
                    allow-senders: [users]
                handlers:
                  http: 8
                  programs: 2
                  files: lib
                  classes: com.acme.Handlers
                services:
                  web:
                    process: com.acme.Web
                    method: serve
                    input:
                      - 80
                      - "80"
                      - 2.5
                      - true
                      - ${NAME:-text}
                      - ${WORKERS}
                      - null
                    host: users
                    name: web
                    restart: transient
                    shutdown: 2s
                    intensity:
                      restarts: 3
                      period: 1m
                    backoff:
                      first: 100ms
                      cap: 5s
                    requires: database
                  database:
                    process: com.acme.Database
                """);

        assertThat(file.name()).isEqualTo("shop");
        assertThat(file.classPath())
                .containsExactly(folder.resolve("app.jar"), folder.resolve("lib/a.jar"), folder.resolve("lib/b.jar"));
        assertThat(file.hosts())
                .containsExactly(
                        Map.entry("users", new RunFile.Host(3, 1_000, 10, null)),
                        Map.entry("system", new RunFile.Host(null, null, null, List.of("users"))));
        assertThat(file.handlers())
                .isEqualTo(new RunFile.Handlers(8, 2, folder.resolve("lib"), List.of("com.acme.Handlers")));
        assertThat(file.services().keySet()).as("what is required comes first").containsExactly("database", "web");
        RunFile.Service web = file.services().get("web");
        assertThat(web.input()).containsExactly(80, "80", 2.5, true, "text", 3, null);
        assertThat(web)
                .extracting(
                        RunFile.Service::method,
                        RunFile.Service::restart,
                        RunFile.Service::shutdown,
                        RunFile.Service::restarts,
                        RunFile.Service::period,
                        RunFile.Service::backoffFirst,
                        RunFile.Service::backoffCap)
                .containsExactly(
                        "serve",
                        Restart.TRANSIENT,
                        Duration.ofSeconds(2),
                        3,
                        Duration.ofMinutes(1),
                        Duration.ofMillis(100),
                        Duration.ofSeconds(5));
    }

    @Test
    void whenLittleIsSaid_thenTheDefaultsAreThoseOfTheRuntime() throws Exception {
        RunFile file = read(SERVICE);

        assertThat(file.hosts()).containsOnlyKeys("main");
        assertThat(file.services().get("a"))
                .extracting(
                        RunFile.Service::method,
                        RunFile.Service::restart,
                        RunFile.Service::restarts,
                        RunFile.Service::period)
                .containsExactly("main", Restart.PERMANENT, 1, Duration.ofSeconds(5));
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of("", "app.yaml:1: the file is empty"),
                Arguments.of("name: x\n", "app.yaml:1: services: there are none: name at least one"),
                Arguments.of("services: [a\n", "app.yaml:2: this is not YAML"),
                Arguments.of(
                        SERVICE + "    procss: B\n",
                        "app.yaml:4: services.a.procss: is not known, known are [process, method, input, host, name,"
                                + " restart, shutdown, intensity, backoff, requires]: did you mean \"process\"?"),
                Arguments.of("servces:\n" + SERVICE, "app.yaml:1: servces: is not known"),
                Arguments.of(SERVICE + SERVICE, "app.yaml:4: services: is there twice, must be there once"),
                Arguments.of("services:\n  a:\n", "app.yaml:2: services.a"),
                Arguments.of(
                        "services:\n  a:\n    method: x\n", "app.yaml:3: services.a.process: is missing: name a class"),
                Arguments.of(
                        SERVICE + "    requires: [b]\n",
                        "app.yaml:4: services.a.requires: \"b\" is no service of this file, known are [a]"),
                Arguments.of(
                        SERVICE + "    requires: b\n  b:\n    process: B\n    requires: a\n",
                        "goes in a circle: a requires b requires a: remove one of these"),
                Arguments.of(
                        SERVICE + "    host: man\n",
                        "app.yaml:4: services.a.host: \"man\" is no host of this file, known are [main]: did you mean"
                                + " \"main\"?"),
                Arguments.of(
                        SERVICE + "    restart: permanet\n",
                        "app.yaml:4: services.a.restart: was \"permanet\", must be one of [permanent, transient,"
                                + " temporary]: did you mean \"permanent\"?"),
                Arguments.of(SERVICE + "    shutdown: 5\n", "app.yaml:4: services.a.shutdown: "),
                Arguments.of(
                        SERVICE + "    input: {x: 1}\n",
                        "app.yaml:4: services.a.input: was keys with values, must be a single value"),
                Arguments.of(
                        SERVICE + "    method: ${NOT_SET}\n",
                        "app.yaml:4: services.a.method: the environment has no NOT_SET: set it"),
                Arguments.of(
                        SERVICE + "    backoff: {first: 2s, cap: 1s}\n",
                        "app.yaml:4: services.a.backoff: has a cap below the first wait"),
                Arguments.of(SERVICE + "    backoff: {cap: 1s}\n", "app.yaml:4: services.a.backoff: has no \"first\""),
                Arguments.of(
                        SERVICE + "hosts:\n  h:\n    workers: 0\n",
                        "app.yaml:6: hosts.h.workers: was \"0\", must be a whole number of at least 1"),
                Arguments.of(SERVICE + "hosts: 5\n", "app.yaml:4: hosts: was \"5\", must be keys with values"),
                Arguments.of(
                        SERVICE + "class-path: no.jar\n",
                        "app.yaml:4: class-path: \"no.jar\" is not there, looked at "),
                Arguments.of(SERVICE + "handlers:\n  files: no\n", "app.yaml:5: handlers.files: \"no\" is no folder"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void whenThereIsAMistake_thenLineKeyAndRemedyAreNamed(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(RunFileException.class)
                .hasMessageContaining(message);
    }

    @Test
    void whenThereAreSeveral_thenAllAreTold() {
        assertThatThrownBy(
                        () -> read("nam: x\nservices:\n  a:\n    proces: A\n  b:\n    process: B\n    restart: no\n"))
                .hasMessageContaining("app.yaml:1: nam")
                .hasMessageContaining("app.yaml:4: services.a.proces")
                .hasMessageContaining("app.yaml:7: services.b.restart");
    }

    private RunFile read(String text) throws IOException, RunFileException {
        Path file = folder.resolve("app.yaml");
        Files.writeString(file, text);
        return RunFileReader.read(file, Map.of("WORKERS", "3")::get);
    }
}
