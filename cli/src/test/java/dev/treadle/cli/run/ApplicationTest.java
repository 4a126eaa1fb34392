// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.treadle.CommandRegistry;
import dev.treadle.Events;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ShutdownReport;
import dev.treadle.StepOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplicationTest {
    private static final String A = service("a", "");
    private static final String B_REQUIRES_A = service("b", "    requires: a\n");

    @TempDir
    Path folder;

    private final List<String> log = new ArrayList<>();

    @BeforeEach
    void forget() {
        Teller.TOLD.clear();
    }

    @Test
    void whenItEnds_thenServicesAreStoppedInTheReverseOrder() throws Exception {
        try (Application application = start(B_REQUIRES_A + A)) {
            assertThat(Teller.TOLD).containsExactly("start a", "start b");

            assertThat(application.shutdown(Duration.ofSeconds(30)).values()).allMatch(ShutdownReport::isGraceful);
        }
        assertThat(Teller.TOLD).containsExactly("start a", "start b", "close b", "close a");
        assertThat(log).containsExactly("started a", "started b", "stopped b", "stopped a");
    }

    @Test
    void whenAServiceFails_thenItIsStartedAgainByItsRules() throws Exception {
        try (Application application = start(service("a", "    name: a\n    intensity: {restarts: 2, period: 1m}\n"))) {
            application.node().names().send("a", "fail", null);

            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(Teller.TOLD).containsExactly("start a", "close a", "start a"));
            assertThat(application.failure()).isNull();
        }
    }

    @Test
    void whenAServiceFailsTooOften_thenTheApplicationSaysSo() throws Exception {
        try (Application application = start(service("a", "    name: a\n    intensity: {restarts: 0, period: 1m}\n"))) {
            await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
                application.node().names().send("a", "the disk is full", null);
                assertThat(application.failure()).contains("the disk is full");
            });
        }
    }

    @Test
    void whenAServiceDoesNotStart_thenNothingIsLeft() {
        assertThatThrownBy(() -> start(A + "  b:\n    process: dev.treadle.cli.run.Teller\n    input: refuse\n"))
                .hasMessage("service \"b\" did not start: it refuses to start");
        assertThat(Teller.TOLD).containsExactly("start a", "close refuse", "close a");
    }

    @Test
    void whenAClassIsMissingOrWrong_thenNothingIsStarted() {
        assertThatThrownBy(() -> start(A
                        + "  b:\n    process: com.acme.Nothing\n  c:\n    process: java.lang.String\n"
                        + "  d:\n    process: dev.treadle.cli.run.ApplicationTest$NoConstructor\n"))
                .isInstanceOf(RunFileException.class)
                .hasMessageContaining(
                        "app.yaml:6: services.b.process: class com.acme.Nothing was not found in an empty class path")
                .hasMessageContaining("services.c.process: class java.lang.String is no dev.treadle.Process")
                .hasMessageContaining("has no constructor without parameters");
        assertThat(Teller.TOLD).isEmpty();
    }

    @Test
    void whenAHandlerClassIsNamed_thenItRegistersHandlers() throws Exception {
        String file = "handlers:\n  classes: " + Registering.class.getName() + "\nservices:\n" + A;

        Application.start(read(file), log::add).close();

        assertThat(Registering.registered).isTrue();
        assertThatThrownBy(() -> Application.start(read(file.replace("Registering", "NoConstructor")), log::add))
                .hasMessageContaining("app.yaml:2: handlers.classes: class ")
                .hasMessageContaining("is no Consumer<CommandRegistry>");
    }

    @Test
    void whenTheFileHasChanged_thenOnlyWhatHasChangedIsStartedAgain() throws Exception {
        try (Application application = start(A + B_REQUIRES_A + service("c", ""))) {
            Teller.TOLD.clear();

            application.reload(file(service("a", "    restart: transient\n") + B_REQUIRES_A + service("d", "")));

            assertThat(Teller.TOLD).containsExactly("close c", "close a", "start a", "start d");
            assertThat(log).last().isEqualTo("reloaded: 2 stopped, 2 started, 1 left alone");

            application.reload(file(service("a", "    restart: transient\n") + B_REQUIRES_A + service("d", "")));

            assertThat(log).last().isEqualTo("reloaded: 0 stopped, 0 started, 3 left alone");
        }
    }

    @Test
    void whenTheChangedFileIsWrong_thenAllGoesOn() throws Exception {
        try (Application application = start(A)) {
            RunFile wrong = file("  a:\n    process: com.acme.Nothing\n");

            assertThatThrownBy(() -> application.reload(wrong)).isInstanceOf(RunFileException.class);

            assertThat(Teller.TOLD).containsExactly("start a");
        }
    }

    @Test
    void whenTheClassesHaveChanged_thenAllServicesAreStartedAgain() throws Exception {
        Path jar = Files.createFile(folder.resolve("app.jar"));
        try (Application application = Application.start(read("class-path: app.jar\nservices:\n" + A), log::add)) {
            Files.writeString(jar, "newer");

            application.reload(read("class-path: app.jar\nservices:\n" + A));

            assertThat(Teller.TOLD).containsExactly("start a", "close a", "start a");
        }
    }

    /** Handlers of a program. */
    static final class Registering implements Consumer<CommandRegistry> {
        static boolean registered;

        @Override
        public void accept(CommandRegistry registry) {
            registered = true;
        }
    }

    /** A process that nobody can make. */
    static final class NoConstructor implements Process {
        NoConstructor(String needed) {
            throw new AssertionError(needed);
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {}
    }

    private static String service(String name, String more) {
        return "  " + name + ":\n    process: dev.treadle.cli.run.Teller\n    input: " + name + "\n" + more;
    }

    private Application start(String services) throws Exception {
        return Application.start(file(services), log::add);
    }

    private RunFile file(String services) throws IOException, RunFileException {
        return read("services:\n" + services);
    }

    private RunFile read(String text) throws IOException, RunFileException {
        Path file = folder.resolve("app.yaml");
        Files.writeString(file, text);
        return RunFileReader.read(file, Map.<String, String>of()::get);
    }
}
