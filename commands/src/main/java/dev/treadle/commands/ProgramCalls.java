// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.BlockingCall;
import dev.treadle.CommandRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Does the work of {@link RunProgram}. */
final class ProgramCalls implements CommandRegistry.StoppableFunction<RunProgram> {
    /*
     * One thread serves a program: it takes what the program has written, then waits a little for its end, in turns. It
     * never sits in a read. A read of a pipe cannot be interrupted, and ends only when the last holder of the other end is
     * gone, which may be a program in the background that nobody finds. The price is a look every few milliseconds while
     * the program is silent; its end is seen at once.
     *
     * Only input has a thread of its own, if there is any: a program that does not read would block the writer.
     *
     * Who cancels kills the program on the spot, on the worker. It takes some milliseconds, but when a shutdown returns
     * every program has been killed, even if the JVM exits right afterwards.
     */
    private static final long LOOK_MILLIS_MIN = 1;
    private static final long LOOK_MILLIS_MAX = 16;
    private static final int CHUNK = 8 << 10;

    private final int outputMax;
    private final Duration timeout;

    ProgramCalls(int outputMax, Duration timeout) {
        this.outputMax = outputMax;
        this.timeout = timeout;
    }

    @Override
    public Object call(RunProgram command, BlockingCall call) throws InterruptedException {
        Process program = start(command);
        try {
            call.stopBy(() -> killTree(program.toHandle()));
            call.checkStopped();
            feed(program, command.input(), call);
            return new Watch(command, program).result(call);
        } finally {
            call.stopByNothing();
            killTree(program.toHandle()); // if it has not ended by itself
            close(program.getInputStream());
            close(program.getErrorStream());
            if (command.input().isEmpty()) {
                close(program.getOutputStream()); // else its writer does, which may be in the middle of a write
            }
        }
    }

    private static Process start(RunProgram command) {
        var builder = new ProcessBuilder(command.command());
        try {
            builder.environment().putAll(command.environment());
            if (command.folder() != null) {
                builder.directory(command.folder().toFile());
            }
            return builder.start();
        } catch (IOException | RuntimeException e) {
            throw new ProgramFailedException(
                    ProgramFailedException.Reason.NOT_STARTED,
                    command + " was not started (" + e.getMessage()
                            + "), it must be an executable file: check its name, its rights and its folder "
                            + (command.folder() == null ? "" : command.folder()),
                    Bytes.EMPTY,
                    Bytes.EMPTY,
                    e);
        }
    }

    private static void feed(Process program, Bytes input, BlockingCall call) {
        OutputStream stdin = program.getOutputStream();
        if (input.isEmpty()) {
            close(stdin);
            return;
        }
        call.beside(() -> {
            try (stdin) {
                stdin.write(input.array());
            } catch (IOException e) {
                // It has ended, or closed its input: it need not read all that it is given.
            }
        });
    }

    private static void close(AutoCloseable stream) {
        try {
            stream.close();
        } catch (Exception e) {
            // Nobody needs it any more.
        }
    }

    /** Kills parents before children, so that they start no more; looks for the children while the parent is there. */
    private static void killTree(ProcessHandle program) {
        if (!program.isAlive()) {
            return;
        }
        List<ProcessHandle> children = program.children().toList();
        program.destroyForcibly();
        children.forEach(ProgramCalls::killTree);
    }

    /** Watches one program from its start to its end. */
    private final class Watch {
        private final RunProgram command;
        private final Process program;
        private final ByteArrayOutputStream output = new ByteArrayOutputStream();
        private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
        private final byte[] chunk = new byte[CHUNK];

        Watch(RunProgram command, Process program) {
            this.command = command;
            this.program = program;
        }

        ProgramResult result(BlockingCall call) throws InterruptedException {
            Duration own = command.timeout();
            Duration limit = own == null ? timeout : own;
            long start = System.nanoTime();
            long millis = LOOK_MILLIS_MIN;
            while (true) {
                boolean ended = !program.isAlive(); // before the last look: what comes after the end is not its own
                boolean silent = !takeAll();
                if (ended) {
                    call.checkStopped();
                    return new ProgramResult(program.exitValue(), bytes(output), bytes(errors));
                }
                if (Duration.ofNanos(System.nanoTime() - start).compareTo(limit) > 0) {
                    throw new ProgramFailedException(
                            ProgramFailedException.Reason.TIMEOUT,
                            command + " was killed, it ran longer than " + limit
                                    + ", its timeout: allow it more time, or find out what it waits for",
                            bytes(output),
                            bytes(errors),
                            null);
                }
                millis = silent ? Math.min(millis * 2, LOOK_MILLIS_MAX) : LOOK_MILLIS_MIN;
                if (silent) {
                    program.waitFor(millis, TimeUnit.MILLISECONDS);
                }
            }
        }

        /** Returns whether there was anything. */
        private boolean takeAll() {
            boolean some = take(program.getInputStream(), output, "output");
            return take(program.getErrorStream(), errors, "errors") || some;
        }

        private boolean take(InputStream from, ByteArrayOutputStream to, String what) {
            boolean some = false;
            try {
                for (int ready = from.available(); ready > 0; ready = from.available()) {
                    int read = from.read(chunk, 0, Math.min(ready, CHUNK));
                    if (read < 0) {
                        break;
                    }
                    some = true;
                    int room = outputMax - to.size();
                    to.write(chunk, 0, Math.min(read, room));
                    if (read > room) {
                        throw tooLarge(what);
                    }
                }
            } catch (IOException e) {
                return some; // the stream is closed: the program has ended
            }
            return some;
        }

        private ProgramFailedException tooLarge(String what) {
            return new ProgramFailedException(
                    ProgramFailedException.Reason.TOO_LARGE,
                    command + " was killed, it wrote more than " + outputMax + " bytes of " + what
                            + ", which is outputMax: raise it where the handlers are registered, or let it write to a file",
                    bytes(output),
                    bytes(errors),
                    null);
        }

        private Bytes bytes(ByteArrayOutputStream stream) {
            return Bytes.own(stream.toByteArray());
        }
    }
}
