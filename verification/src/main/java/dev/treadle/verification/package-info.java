// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * The command that runs the stress tests and tells what came of it.
 *
 * <pre>
 *   {@link dev.treadle.verification.Main} --&gt; {@link dev.treadle.verification.Verification} --+--&gt; production classes: jcstress, all tests
 *                                    |                 |
 *                                    |                 +--&gt; each {@link dev.treadle.verification.Twin}: jcstress, its test
 *                                    v
 *                         {@link dev.treadle.verification.Summary}: the table, and the exit code
 * </pre>
 *
 * <p>The tests are in the packages of the classes that they test, named {@code ...Stress}: {@code dev.treadle},
 * {@code dev.treadle.queue}, {@code dev.treadle.timer}. Each has two actors, which jcstress runs against each other some
 * hundred thousand times, and says which results are acceptable; all others are forbidden. {@code docs/memory-model.md}
 * tells which test covers which access.
 */
@NullMarked
package dev.treadle.verification;

import org.jspecify.annotations.NullMarked;
