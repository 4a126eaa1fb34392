// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.Set;

/** A folder that is open: its files are reached from it, whatever becomes of the path that led to it. */
final class SecureFolder implements Folder {
    private final SecureDirectoryStream<Path> stream;

    SecureFolder(SecureDirectoryStream<Path> stream) {
        this.stream = stream;
    }

    @Override
    public Folder down(Path name) throws IOException {
        return new SecureFolder(stream.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS));
    }

    @Override
    public BasicFileAttributes attributes(Path name) throws IOException {
        return stream.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }

    @Override
    public SeekableByteChannel open(Path name, Set<? extends OpenOption> options) throws IOException {
        var all = new HashSet<OpenOption>(options);
        all.add(LinkOption.NOFOLLOW_LINKS);
        return stream.newByteChannel(name, all);
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        stream.move(from, stream, to);
    }

    @Override
    public void delete(Path name) throws IOException {
        stream.deleteFile(name);
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

    private PosixFileAttributeView view(Path name) {
        return stream.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
