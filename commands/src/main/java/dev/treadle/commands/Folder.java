// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;

/** A folder below the root, reached over no link; what is done in it follows none either. */
interface Folder extends Closeable {
    /**
     * Goes from the root down these names.
     *
     * @param secure whether to open each from the one before, where the file system can do that
     */
    static Folder open(Path root, List<Path> names, String path, boolean secure) throws IOException {
        Folder folder = root(root, secure);
        for (Path name : names) {
            Folder below;
            try (Folder above = folder) {
                BasicFileAttributes attributes = above.attributes(name);
                if (attributes.isSymbolicLink()) {
                    throw FileFailures.link(path, name);
                }
                if (!attributes.isDirectory()) {
                    throw FileFailures.notAFile(path, name, "a folder");
                }
                below = above.down(name);
            }
            folder = below;
        }
        return folder;
    }

    @SuppressWarnings("StreamResourceLeak") // the folder that is returned closes it
    private static Folder root(Path root, boolean secure) throws IOException {
        if (!secure) {
            return new CheckedFolder(root);
        }
        DirectoryStream<Path> stream = Files.newDirectoryStream(root);
        if (stream instanceof SecureDirectoryStream<Path> folder) {
            return new SecureFolder(folder);
        }
        stream.close();
        return new CheckedFolder(root);
    }

    /** Opens a folder in this one. */
    Folder down(Path name) throws IOException;

    /** Returns the attributes of a file in this folder; of the link if it is one. */
    BasicFileAttributes attributes(Path name) throws IOException;

    /** Opens a file in this folder, and fails if it is a link. */
    SeekableByteChannel open(Path name, Set<? extends OpenOption> options) throws IOException;

    /** Puts a file of this folder in the place of another one, in one moment. */
    void move(Path from, Path to) throws IOException;

    /** Deletes a file of this folder. */
    void delete(Path name) throws IOException;

    /** Returns the permissions of a file; none where the file system has no such thing. */
    Set<PosixFilePermission> permissions(Path name) throws IOException;

    /** Sets the permissions of a file. */
    void permissions(Path name, Set<PosixFilePermission> permissions) throws IOException;
}
