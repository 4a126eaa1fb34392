// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Takes the path of a command apart, and refuses what is not plainly below the folder. */
final class FilePath {
    private FilePath() {}

    /** Returns the names from the folder to the file; at least one, and none of them leads up. */
    static List<Path> names(Path root, String path) {
        Path parsed;
        try {
            parsed = root.getFileSystem().getPath(path);
        } catch (InvalidPathException e) {
            throw FileFailures.outside(path, "is no path here", e);
        }
        if (path.isEmpty()) {
            throw FileFailures.outside(path, "is empty", null);
        }
        if (parsed.isAbsolute() || parsed.getRoot() != null || parsed.getNameCount() == 0) {
            throw FileFailures.outside(path, "is absolute", null);
        }
        var names = new ArrayList<Path>();
        for (Path name : parsed) {
            String text = name.toString();
            if (text.equals("..") || text.equals(".") || text.isEmpty()) {
                throw FileFailures.outside(path, "has \"" + text + "\" in it", null);
            }
            names.add(name);
        }
        return names;
    }
}
