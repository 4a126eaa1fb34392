// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.CallLimit;
import dev.treadle.Command;
import dev.treadle.CommandRegistry;
import dev.treadle.Completion;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands on files, with folders that are opened one from the other and, as elsewhere, with folders that are checked. */
class FilesTest {
    private static final int FILE_MAX = 1_000;

    @TempDir
    Path temp;

    private Path root;
    private Path outside;

    @BeforeEach
    void makeFolders() throws IOException {
        root = Files.createDirectories(temp.resolve("root")).toRealPath();
        Files.createDirectories(root.resolve("letters"));
        Files.writeString(root.resolve("letters/hello.txt"), "Hello");
        outside = Files.createDirectories(temp.resolve("outside")).toRealPath();
        Files.writeString(outside.resolve("secret.txt"), "secret");
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        Soon.until(() -> TestThreads.named("treadle-main-blocking-").isEmpty());
        try (Stream<Path> all = Files.walk(temp)) {
            assertThat(all.filter(file -> file.toString().endsWith(".tmp")))
                    .as("drafts")
                    .isEmpty();
        }
        assertThat(outside.resolve("secret.txt")).hasContent("secret");
    }

    private Scheduler start(boolean secure) {
        var files = new FileCalls(root, FILE_MAX, secure);
        return LoneCommand.scheduler(registry -> files.register(registry, CallLimit.of(4, 100)));
    }

    private static List<Command> each(String path) {
        return List.of(new ReadFile(path), WriteFile.of(path, "new"), AppendFile.of(path, "new"));
    }

    private static void assertRefused(Scheduler scheduler, String path, FileFailedException.Reason reason) {
        for (Command command : each(path)) {
            var error = LoneCommand.fail(scheduler, command, FileFailedException.class);
            assertThat(error.reason()).as("%s: %s", command, error).isEqualTo(reason);
            assertThat(error).hasMessageContaining("\"" + path + "\"");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void filesAreReadWrittenReplacedAndAppendedTo(boolean secure) {
        try (Scheduler scheduler = start(secure)) {
            assertThat(LoneCommand.run(scheduler, new ReadFile("letters/hello.txt"), Bytes.class)
                            .text())
                    .isEqualTo("Hello");
            assertThat(LoneCommand.run(scheduler, WriteFile.of("letters/hello.txt", "Grüße"), Long.class))
                    .isEqualTo(7);
            assertThat(LoneCommand.run(scheduler, AppendFile.of("letters/hello.txt", "!"), Long.class))
                    .isEqualTo(8);
            assertThat(root.resolve("letters/hello.txt")).hasContent("Grüße!");
            assertThat(LoneCommand.run(scheduler, WriteFile.of("new.txt", ""), Long.class))
                    .isZero();
            assertThat(LoneCommand.run(scheduler, AppendFile.of("log.txt", "one"), Long.class))
                    .isEqualTo(3);
            assertThat(LoneCommand.run(scheduler, new ReadFile("new.txt"), Bytes.class))
                    .isEqualTo(Bytes.EMPTY);
        }
    }

    @Nested
    class GivenAPathThatLeavesTheFolder {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "..",
                    ".",
                    "../outside/secret.txt",
                    "letters/../../outside/secret.txt",
                    "letters/../letters/hello.txt",
                    "./letters/hello.txt",
                    "/etc/passwd",
                    "/",
                    "a\0b"
                })
        void whenItIsUsed_thenItIsRefused(String path) {
            for (boolean secure : new boolean[] {true, false}) {
                try (Scheduler scheduler = start(secure)) {
                    assertRefused(scheduler, path, FileFailedException.Reason.OUTSIDE);
                }
            }
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        @DisabledOnOs(value = OS.WINDOWS, disabledReason = "links need rights there")
        void whenItIsALinkOrLeadsOverOne_thenItIsRefusedAndNothingIsTouched(boolean secure) throws IOException {
            Files.createSymbolicLink(root.resolve("link.txt"), outside.resolve("secret.txt"));
            Files.createSymbolicLink(root.resolve("dangling.txt"), outside.resolve("new.txt"));
            Files.createSymbolicLink(root.resolve("folder"), outside);
            Files.createSymbolicLink(root.resolve("inside.txt"), Path.of("letters/hello.txt"));
            try (Scheduler scheduler = start(secure)) {
                for (String path :
                        List.of("link.txt", "dangling.txt", "folder/secret.txt", "folder/new.txt", "inside.txt")) {
                    assertRefused(scheduler, path, FileFailedException.Reason.OUTSIDE);
                }
            }
            assertThat(outside.resolve("new.txt")).doesNotExist();
            assertThat(root.resolve("letters/hello.txt")).hasContent("Hello");
        }

        /** Somebody changes a folder into a link and back all the time. A check followed by an open would be outrun. */
        @Test
        @EnabledOnOs(value = OS.LINUX, disabledReason = "elsewhere it is checked first and opened then, as documented")
        void whenALinkAppearsAtAnyMoment_thenNothingOutsideIsRead() throws Exception {
            Path real = Files.createDirectories(root.resolve("real"));
            Files.writeString(real.resolve("secret.txt"), "own");
            Path swap = root.resolve("swap");
            var over = new AtomicBoolean();
            var attacker = new Thread(() -> {
                try {
                    while (!over.get()) {
                        Files.move(real, swap);
                        Files.createSymbolicLink(real, outside);
                        Files.delete(real);
                        Files.move(swap, real);
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            attacker.start();
            int own = 0;
            try (Scheduler scheduler = start(true)) {
                for (int i = 0; i < 1_000; i++) {
                    Completion read = LoneCommand.run(scheduler, new ReadFile("real/secret.txt"));
                    if (!read.isFailed()) {
                        assertThat(read.data(Bytes.class).text()).isEqualTo("own");
                        own++;
                    }
                }
            } finally {
                over.set(true);
                attacker.join();
            }
            assertThat(own).as("it was read between two changes").isPositive();
        }
    }

    @Nested
    class GivenWhatIsNoPlainFile {
        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void whenItIsNotThere_thenItIsNotFound(boolean secure) {
            try (Scheduler scheduler = start(secure)) {
                var error = LoneCommand.fail(scheduler, new ReadFile("nowhere.txt"), FileFailedException.class);

                assertThat(error.reason()).isEqualTo(FileFailedException.Reason.NOT_FOUND);
                assertRefused(scheduler, "no/folder.txt", FileFailedException.Reason.NOT_FOUND);
            }
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void whenItIsAFolderOrLeadsOverAFile_thenItIsRefused(boolean secure) {
            try (Scheduler scheduler = start(secure)) {
                assertRefused(scheduler, "letters", FileFailedException.Reason.NOT_A_FILE);
                assertRefused(scheduler, "letters/hello.txt/more", FileFailedException.Reason.NOT_A_FILE);
            }
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        @EnabledOnOs(OS.LINUX)
        void whenItIsAPipe_thenItIsRefusedAndNothingHangs(boolean secure) throws Exception {
            assertThat(new ProcessBuilder("mkfifo", root.resolve("pipe").toString())
                            .start()
                            .waitFor())
                    .isZero();
            try (Scheduler scheduler = start(secure)) {
                assertRefused(scheduler, "pipe", FileFailedException.Reason.NOT_A_FILE);
            }
        }
    }

    @Nested
    class GivenALimitOfSize {
        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void whenItIsReached_thenItPassesAndOneByteMoreDoesNot(boolean secure) throws IOException {
            Files.write(root.resolve("full"), new byte[FILE_MAX]);
            Files.write(root.resolve("over"), new byte[FILE_MAX + 1]);
            try (Scheduler scheduler = start(secure)) {
                assertThat(LoneCommand.run(scheduler, new ReadFile("full"), Bytes.class)
                                .size())
                        .isEqualTo(FILE_MAX);
                assertTooLarge(scheduler, new ReadFile("over"));
                assertTooLarge(scheduler, AppendFile.of("full", "x"));
                LoneCommand.run(scheduler, WriteFile.of("new", "x".repeat(FILE_MAX)), Long.class);
                assertTooLarge(scheduler, WriteFile.of("new", "x".repeat(FILE_MAX + 1)));
            }
            assertThat(root.resolve("full")).hasSize(FILE_MAX);
            assertThat(root.resolve("new")).hasSize(FILE_MAX);
        }

        private void assertTooLarge(Scheduler scheduler, Command command) {
            var error = LoneCommand.fail(scheduler, command, FileFailedException.class);
            assertThat(error.reason()).isEqualTo(FileFailedException.Reason.TOO_LARGE);
            assertThat(error).hasMessageContainingAll("1000 bytes", "fileMax", "raise it");
        }

        /** A file whose size says nothing, as those of the kernel. */
        @Test
        @EnabledOnOs(OS.LINUX)
        void whenTheSizeOfAFileIsNotKnown_thenItIsReadToItsEnd() {
            try (Scheduler scheduler = LoneCommand.scheduler(
                    registry -> FileHandlers.within(Path.of("/proc/self")).register(registry))) {
                assertThat(LoneCommand.run(scheduler, new ReadFile("status"), Bytes.class)
                                .text())
                        .contains("Name:")
                        .endsWith("\n");
            }
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aFileThatIsReplacedKeepsItsPermissions() throws IOException {
        Path file = root.resolve("letters/hello.txt");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        for (boolean secure : new boolean[] {true, false}) {
            try (Scheduler scheduler = start(secure)) {
                LoneCommand.run(scheduler, WriteFile.of("letters/hello.txt", "new"), Long.class);

                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-r-----");
            }
        }
    }

    /** Catches a write in place: a reader would see an empty or a mixed file. */
    @Test
    void whoReadsWhileAFileIsReplacedSeesTheOldOrTheNew() throws Exception {
        String a = "a".repeat(FILE_MAX);
        String b = "b".repeat(FILE_MAX);
        Path file = Files.writeString(root.resolve("changing"), a);
        var over = new AtomicBoolean();
        var seen = new ArrayList<String>();
        var reader = new Thread(() -> {
            try {
                while (!over.get()) {
                    String text = Files.readString(file);
                    if (!text.equals(a) && !text.equals(b)) {
                        seen.add(text);
                    }
                }
            } catch (IOException e) {
                seen.add(e.toString());
            }
        });
        reader.start();
        try (Scheduler scheduler = start(true)) {
            for (int i = 0; i < 100; i++) {
                LoneCommand.run(scheduler, WriteFile.of("changing", i % 2 == 0 ? b : a), Long.class);
            }
        } finally {
            over.set(true);
            reader.join();
        }
        assertThat(seen).isEmpty();
    }

    @Test
    void whatManyAppendDoesNotMixAndNothingIsLost() throws IOException {
        try (Scheduler scheduler = start(true)) {
            var processes = new ArrayList<ProcessRef>();
            for (int i = 0; i < 90; i++) {
                processes.add(LoneCommand.start(scheduler, AppendFile.of("log", String.format("%09d%n", i))));
            }
            processes.forEach(process -> LoneCommand.completion(process).data(Long.class));
        }
        assertThat(Files.readAllLines(root.resolve("log")))
                .hasSize(90)
                .doesNotHaveDuplicates()
                .allMatch(line -> line.matches("\\d{9}"));
    }

    @Test
    void settingsAndFolderAreChecked() {
        assertThatThrownBy(() -> FileHandlers.within(root.resolve("nowhere")).register(new CommandRegistry()))
                .hasMessageContainingAll("nowhere", "is not there", "create it");
        assertThatThrownBy(() ->
                        FileHandlers.within(root.resolve("letters/hello.txt")).register(new CommandRegistry()))
                .hasMessageContainingAll("hello.txt", "is a file");
        assertThatThrownBy(() -> FileHandlers.within(root)
                        .runningMax(0)
                        .waitingMax(-1)
                        .fileMax(-1)
                        .register(new CommandRegistry()))
                .hasMessageContainingAll("runningMax was 0", "waitingMax was -1", "fileMax was -1");
    }
}
