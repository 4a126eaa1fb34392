// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A folder that is known by its path, for file systems that cannot do better: each step was checked, then taken. */
final class CheckedFolder implements Folder {
    private final Path folder;

    CheckedFolder(Path folder) {
        this.folder = folder;
    }

    @Override
    public Folder down(Path name) {
        return new CheckedFolder(folder.resolve(name));
    }

    @Override
    public BasicFileAttributes attributes(Path name) throws IOException {
        return Files.readAttributes(folder.resolve(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public SeekableByteChannel open(Path name, Set<? extends OpenOption> options) throws IOException {
        var all = new HashSet<OpenOption>(options);
        all.add(LinkOption.NOFOLLOW_LINKS);
        return Files.newByteChannel(folder.resolve(name), all);
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        Files.move(
                folder.resolve(from),
                folder.resolve(to),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(Path name) throws IOException {
        Files.delete(folder.resolve(name));
    }

    @Override
    public Set<PosixFilePermission> permissions(Path name) throws IOException {
        PosixFileAttributeView view = view(name);
        return view == null ? Set.of() : view.readAttributes().permissions();
    }

    @Override
    public void permissions(Path name, Set<PosixFilePermission> permissions) throws IOException {
        PosixFileAttributeView view = view(name);
        if (view != null) {
            view.setPermissions(permissions);
        }
    }

    private @Nullable PosixFileAttributeView view(Path name) {
        return Files.getFileAttributeView(
                folder.resolve(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public void close() {}
}
