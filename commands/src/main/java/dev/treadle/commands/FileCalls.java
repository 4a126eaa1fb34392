// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.BlockingCall;
import dev.treadle.CallLimit;
import dev.treadle.CommandRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Does the work of {@link ReadFile}, {@link WriteFile} and {@link AppendFile}. */
final class FileCalls {
    private static final int APPEND_LOCKS = 64;

    private final Path root;
    private final int fileMax;
    private final boolean secure;

    /** One for each file, or for some files together: appends to one file come one after the other. */
    private final List<ReentrantLock> appending =
            Stream.generate(ReentrantLock::new).limit(APPEND_LOCKS).toList();

    /** Takes whether to open folders relative to each other where that can be done; a test says no. */
    FileCalls(Path root, int fileMax, boolean secure) {
        this.root = root;
        this.fileMax = fileMax;
        this.secure = secure;
    }

    CommandRegistry register(CommandRegistry registry, CallLimit limit) {
        return registry.registerBlocking(ReadFile.class, limit, this::read)
                .registerBlocking(WriteFile.class, limit, this::write)
                .registerBlocking(AppendFile.class, limit, this::append);
    }

    private Object read(ReadFile command, BlockingCall call) {
        return within(command.path(), call, (folder, name) -> {
            BasicFileAttributes attributes = fileAt(folder, name, command.path());
            if (attributes == null) {
                throw FileFailures.notFound(command.path(), null);
            }
            checkSize(attributes.size(), command.path());
            try (SeekableByteChannel channel = folder.open(name, Set.of(StandardOpenOption.READ))) {
                return readAll(channel, command.path());
            }
        });
    }

    /** Reads one byte more than is allowed, as the file may have grown. */
    private Bytes readAll(SeekableByteChannel channel, String path) throws IOException {
        long expected = Math.min(channel.size(), fileMax);
        var buffer = ByteBuffer.allocate((int) Math.min(expected + 1, Integer.MAX_VALUE - 8));
        while (channel.read(buffer) >= 0) {
            checkSize(buffer.position(), path);
            if (!buffer.hasRemaining()) {
                int more = (int) Math.min(Math.max(64L, buffer.capacity() * 2L), fileMax + 1L);
                buffer = ByteBuffer.allocate(more).put(buffer.flip());
            }
        }
        return Bytes.own(Arrays.copyOf(buffer.array(), buffer.position()));
    }

    private Object write(WriteFile command, BlockingCall call) {
        Bytes content = command.content();
        checkSize(content.size(), command.path());
        return within(command.path(), call, (folder, name) -> {
            boolean there = fileAt(folder, name, command.path()) != null;
            Set<PosixFilePermission> permissions = there ? folder.permissions(name) : Set.of();
            Path draft = draftName();
            try {
                try (SeekableByteChannel channel =
                        folder.open(draft, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
                    writeAll(channel, content);
                    if (channel instanceof FileChannel file) {
                        file.force(true);
                    }
                }
                if (!permissions.isEmpty()) {
                    folder.permissions(draft, permissions);
                }
                call.stopByNothing();
                call.checkStopped(); // the last chance: from here on it is done
                folder.move(draft, name);
                return (long) content.size();
            } catch (Throwable thrown) {
                call.stopByNothing();
                discard(folder, draft, thrown);
                throw thrown;
            }
        });
    }

    /** A name of its own, as two may write one file at a time; short, as the name of the file may be as long as names can be. */
    private Path draftName() {
        return root.getFileSystem()
                .getPath(".treadle-"
                        + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()) + ".tmp");
    }

    private static void discard(Folder folder, Path draft, Throwable thrown) {
        try {
            folder.delete(draft);
        } catch (NoSuchFileException e) {
            // It was not even begun.
        } catch (IOException e) {
            thrown.addSuppressed(e);
        }
    }

    private Object append(AppendFile command, BlockingCall call) {
        return within(command.path(), call, (folder, name) -> {
            ReentrantLock lock = appending.get(Math.floorMod(command.path().hashCode(), APPEND_LOCKS));
            lock.lockInterruptibly();
            try {
                call.stopByNothing();
                call.checkStopped();
                BasicFileAttributes attributes = fileAt(folder, name, command.path());
                long size = (attributes == null ? 0 : attributes.size())
                        + command.content().size();
                checkSize(size, command.path());
                try (SeekableByteChannel channel =
                        folder.open(name, Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND))) {
                    writeAll(channel, command.content());
                    return channel.size();
                }
            } finally {
                lock.unlock();
            }
        });
    }

    private static void writeAll(SeekableByteChannel channel, Bytes content) throws IOException {
        ByteBuffer buffer = content.asBuffer();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    private void checkSize(long size, String path) {
        if (size > fileMax) {
            throw FileFailures.tooLarge(path, fileMax);
        }
    }

    /** Returns the attributes of a plain file, or null if there is none. */
    private static @Nullable BasicFileAttributes fileAt(Folder folder, Path name, String path) throws IOException {
        try {
            BasicFileAttributes attributes = folder.attributes(name);
            if (attributes.isSymbolicLink()) {
                throw FileFailures.link(path, name);
            }
            if (!attributes.isRegularFile()) {
                throw FileFailures.notAFile(path, name, "a plain file");
            }
            return attributes;
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private Object within(String path, BlockingCall call, Use use) {
        List<Path> names = FilePath.names(root, path);
        call.stopByInterrupt();
        try (Folder folder = Folder.open(root, names.subList(0, names.size() - 1), path, secure)) {
            return use.run(folder, names.get(names.size() - 1));
        } catch (IOException e) {
            throw FileFailures.refused(path, e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("stopped while it waited for another append to " + path, e);
        } finally {
            call.stopByNothing();
        }
    }

    private interface Use {
        Object run(Folder folder, Path name) throws IOException, InterruptedException;
    }
}
