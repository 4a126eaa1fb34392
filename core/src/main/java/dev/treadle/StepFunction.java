// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/** The step of a process, as a function. */
@FunctionalInterface
public interface StepFunction {
    /**
     * Advances the process; see {@link Process#step}.
     *
     * @param events what arrived, in order
     * @param out takes the commands to run and what to do next
     * @throws Exception ends the process, with the throwable as its exit reason
     */
    void step(Events events, StepOutput out) throws Exception;
}
