// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The texts of what goes wrong with files. */
final class FileFailures {
    private FileFailures() {}

    static FileFailedException outside(String path, String why, @Nullable Throwable cause) {
        return new FileFailedException(
                FileFailedException.Reason.OUTSIDE,
                "path \"" + path + "\" " + why + ", must be relative and stay within the folder of the registration:"
                        + " give one such as \"folder/file.txt\"",
                cause);
    }

    static FileFailedException link(String path, Path name) {
        return new FileFailedException(
                FileFailedException.Reason.OUTSIDE,
                "path \"" + path + "\" leads over the symbolic link \"" + name
                        + "\", links are not followed: name the file itself, or register the folder that it is in",
                null);
    }

    static FileFailedException notFound(String path, @Nullable Throwable cause) {
        return new FileFailedException(
                FileFailedException.Reason.NOT_FOUND,
                "path \"" + path + "\" is not there, the file and the folders on the way must be:"
                        + " check its name, or create the folders first",
                cause);
    }

    static FileFailedException notAFile(String path, Path name, String expected) {
        return new FileFailedException(
                FileFailedException.Reason.NOT_A_FILE,
                "path \"" + path + "\" cannot be used, \"" + name + "\" is not " + expected
                        + ": give the path of a plain file",
                null);
    }

    static FileFailedException tooLarge(String path, int fileMax) {
        return new FileFailedException(
                FileFailedException.Reason.TOO_LARGE,
                "file \"" + path + "\" has, or would have, more than " + fileMax
                        + " bytes, which is fileMax: raise it where the handlers are registered, or split the file",
                null);
    }

    static FileFailedException refused(String path, IOException cause) {
        if (cause instanceof NoSuchFileException) {
            return notFound(path, cause);
        }
        return new FileFailedException(
                FileFailedException.Reason.REFUSED,
                "file \"" + path + "\" was refused by the operating system (" + cause
                        + "), it must allow what is asked: check its rights, and the space on the disk",
                cause);
    }
}
