// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.util.List;

/**
 * A step that has run for longer than the limit, and still does.
 *
 * @param pid the process
 * @param elapsed for how long it has run at the least
 * @param worker which worker it holds
 * @param stack where it is now, as far as the JVM can tell
 */
public record SlowStep(Pid pid, Duration elapsed, int worker, List<StackTraceElement> stack) {}
