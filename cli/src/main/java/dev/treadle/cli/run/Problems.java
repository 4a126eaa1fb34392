// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.run;

import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.nodes.Node;

/** Collects what is wrong in a file: line, key, value, rule and remedy, one line each. */
final class Problems {
    private final String file;
    private final List<String> found = new ArrayList<>();

    Problems(String file) {
        this.file = file;
    }

    void add(Node node, String key, String problem) {
        add(line(node), key, problem);
    }

    void add(int line, String key, String problem) {
        found.add(file + ":" + line + ": " + (key.isEmpty() ? "" : key + ": ") + problem);
    }

    void throwIfAny() throws RunFileException {
        if (!found.isEmpty()) {
            throw new RunFileException(found);
        }
    }

    static int line(Node node) {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }
}
