// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.ProcessExit;

/** Whether a supervisor starts a child again that has ended by itself. */
public enum Restart {
    /** Always, also after it was done. */
    PERMANENT,

    /** If it failed or was terminated; not if it was done. */
    TRANSIENT,

    /** Never, not even together with others. The supervisor forgets it. */
    TEMPORARY;

    boolean isDueAfter(ProcessExit exit) {
        return this == PERMANENT || (this == TRANSIENT && !exit.isDone());
    }
}
