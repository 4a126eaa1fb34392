// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.CallLimit;
import dev.treadle.Command;
import dev.treadle.CommandOverloadException;
import dev.treadle.CommandTimeoutException;
import dev.treadle.Completion;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Overload, timeout and cancel of the commands on files. */
class FilesCancelTest {
    private static final int SIZE = 1 << 20;
    private static final int ROUNDS = 60;
    private static final long SEED = System.nanoTime();

    private record Hold() implements Command {}

    @TempDir
    Path root;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Semaphore gate = new Semaphore(0);
    private final CallLimit limit = CallLimit.of(1, 3);
    private Path file;
    private Scheduler scheduler;

    @BeforeEach
    void start() throws IOException {
        file = Files.writeString(root.resolve("file"), "a".repeat(SIZE));
        scheduler = LoneCommand.scheduler(registry -> new FileCalls(root, 1 << 30, true)
                .register(registry, limit)
                .registerBlocking(Hold.class, limit, (hold, call) -> {
                    gate.acquire();
                    return null;
                }));
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        gate.release(100);
        scheduler.close();
        try (Stream<Path> all = Files.list(root)) {
            assertThat(all.filter(each -> each.toString().endsWith(".tmp")))
                    .as("drafts, seed %d", SEED)
                    .isEmpty();
        }
    }

    private static List<Command> each() {
        return List.of(new ReadFile("file"), WriteFile.of("file", "new"), AppendFile.of("file", "new"));
    }

    private void holdTheSlot() {
        LoneCommand.start(scheduler, new Hold());
        Soon.until(() -> limit.running() == 1);
    }

    @Test
    void whatWaitsIsCancelledAndWhatIsTooMuchIsRefusedAndNothingIsTouched() {
        holdTheSlot();
        List<ProcessRef> waiting = each().stream()
                .map(command -> LoneCommand.start(scheduler, command))
                .toList();
        Soon.until(() -> limit.waiting() == 3);
        for (Command command : each()) {
            assertThat(LoneCommand.fail(scheduler, command, CommandOverloadException.class))
                    .hasMessageContainingAll(command.getClass().getSimpleName(), "1 run and 3 wait");
        }
        for (ProcessRef process : waiting) {
            process.cancel("enough");
            assertThat(LoneCommand.error(process, CancellationException.class)).hasMessageContaining("was not started");
        }
        gate.release();
        Soon.until(() -> limit.running() == 0);

        assertThat(file).hasContent("a".repeat(SIZE));
    }

    @Test
    void whatWaitsLongerThanTheTimeoutOfItsYieldFailsAndIsNeverBegun() {
        holdTheSlot();
        for (Command command : each()) {
            assertThat(LoneCommand.error(
                            LoneCommand.start(scheduler, command, Duration.ofMillis(10)),
                            CommandTimeoutException.class))
                    .hasMessageContaining(command.getClass().getSimpleName());
        }
        Soon.until(() -> limit.waiting() == 0);
        gate.release();
        Soon.until(() -> limit.running() == 0);

        assertThat(file).hasContent("a".repeat(SIZE));
    }

    /** Starts a command and cancels it after up to some milliseconds, which is about as long as it takes. */
    private Completion cancelled(Command command) {
        ProcessRef process = LoneCommand.start(scheduler, command);
        LockSupport.parkNanos(random.nextLong(4_000_000));
        process.cancel("enough");
        Completion completion = LoneCommand.completion(process);
        if (completion.isFailed()) {
            assertThat(completion.error()).as("seed %d", SEED).isInstanceOf(CancellationException.class);
        }
        Soon.until(() -> limit.running() == 0);
        return completion;
    }

    /** Catches a write in place, and one that goes on after its process was told that it was stopped. */
    @Test
    void aWriteThatIsCancelledAtAnyMomentIsDoneWholeOrNotAtAll() throws IOException {
        String content = "a".repeat(SIZE);
        for (int i = 0; i < ROUNDS; i++) {
            String next = Character.toString('b' + i % 20).repeat(SIZE);
            content = cancelled(WriteFile.of("file", next)).isFailed() ? content : next;

            assertThat(Files.readString(file).equals(content))
                    .as("round %d, seed %d", i, SEED)
                    .isTrue();
        }
    }

    /** Catches an append that is cut off in the middle. */
    @Test
    void anAppendThatIsCancelledAtAnyMomentIsDoneWholeOrNotAtAll() throws IOException {
        long size = SIZE;
        for (int i = 0; i < ROUNDS; i++) {
            size += cancelled(AppendFile.of("file", "b".repeat(SIZE))).isFailed() ? 0 : SIZE;

            assertThat(Files.size(file)).as("round %d, seed %d", i, SEED).isEqualTo(size);
        }
    }

    @Test
    void aReadThatIsCancelledAtAnyMomentGivesTheWholeFileOrNothing() {
        for (int i = 0; i < ROUNDS; i++) {
            Completion completion = cancelled(new ReadFile("file"));
            if (!completion.isFailed()) {
                assertThat(completion.data(Bytes.class).size())
                        .as("round %d, seed %d", i, SEED)
                        .isEqualTo(SIZE);
            }
        }
    }
}
