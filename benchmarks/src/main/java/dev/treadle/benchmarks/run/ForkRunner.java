// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.run;

import dev.treadle.benchmarks.Contender;
import dev.treadle.benchmarks.Workload;
import java.io.IOException;

/** Measures one contender on one workload, in a JVM of its own. */
@FunctionalInterface
public interface ForkRunner {
    /** Runs it. What goes wrong in that JVM is part of the result. */
    ForkResult run(Workload workload, Contender contender) throws IOException, InterruptedException;
}
