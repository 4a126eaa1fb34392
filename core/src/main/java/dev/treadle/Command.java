// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/**
 * A request for work outside the process: to read a file, to wait, to call a service. Commands are plain values, best
 * written as records.
 *
 * <pre>{@code
 * record Fetch(URI uri) implements Command {}
 * }</pre>
 *
 * <p>A process hands one to {@link StepOutput#yield(Command, long)} with a tag of its choice. The {@link Handler}
 * registered for the command's class does the work, and its answer comes back as a {@link Completion} with that tag.
 */
public interface Command {}
