// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.soak;

import dev.treadle.Command;

/**
 * A command of a soak, by how its handler answers it: with its tag, so that the process can tell whether it is the answer
 * to this one.
 */
sealed interface Errand extends Command {
    /** Answered before the handler returns. */
    record Inline() implements Errand {}

    /** Answered by another thread. */
    record Late(int micros) implements Errand {}

    /** Answered before the handler returns, and by another thread as well. */
    record Twice(int micros) implements Errand {}

    /** Not answered; comes with a timeout. */
    record Never() implements Errand {}

    /** The handler throws. */
    record Throwing() implements Errand {}

    /** Nobody handles this. */
    record Unknown() implements Errand {}

    /** Blocks a thread that is there for it. */
    record Blocking(int micros) implements Errand {}
}
