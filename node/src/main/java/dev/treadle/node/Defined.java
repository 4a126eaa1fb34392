// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.Submission;

/**
 * What a process was started as.
 *
 * @param name the name of the definition
 * @param method the entry point
 * @param input the arguments
 */
record Defined(String name, String method, Payloads input) {
    /** Returns what takes the place of a process of this definition. Runs user code. */
    Submission next(Definitions definitions, Process old) {
        return old instanceof Upgradable upgradable
                ? Submission.of(definitions.make(name), Upgradable.METHOD, upgradable.handOver())
                : Submission.of(definitions.make(name), method, input);
    }
}
