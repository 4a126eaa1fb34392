// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * Commands that every scheduler can run: to {@link dev.treadle.command.Sleep}, to {@link dev.treadle.command.Ask} another
 * process, to run a function ({@link dev.treadle.command.Call}) or a whole process ({@link dev.treadle.command.Exec}) and
 * wait for its result.
 *
 * <p>They need no registration. Registering a handler for one of them replaces the built-in one.
 */
@NullMarked
package dev.treadle.command;

import org.jspecify.annotations.NullMarked;
