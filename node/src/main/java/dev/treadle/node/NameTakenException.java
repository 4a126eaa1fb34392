// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;

/** Says that another process took the name while this one was being started. Never leaves the node. */
final class NameTakenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NameTakenException(String name, Pid holder) {
        super("name \"" + name + "\" was taken by " + holder, null, false, false);
    }
}
