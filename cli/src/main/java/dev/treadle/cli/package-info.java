// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * The {@code treadle} command: what all of its subcommands share.
 *
 * <p>A subcommand has a package of its own below this one. To add one: write a class with picocli's {@code @Command} that
 * is a {@code Callable<Integer>} and returns an {@link dev.treadle.cli.ExitCode}, name it in {@link dev.treadle.cli.Main},
 * and open its package to picocli in {@code module-info}. It inherits {@code --help} and {@code --debug}; what it throws
 * becomes one line for the user. Durations are read by {@link dev.treadle.cli.DurationConverter}, Ctrl-C is waited for
 * with {@link dev.treadle.cli.EndRequest}, figures are written with {@link dev.treadle.cli.Figures} and live ones are
 * shown on a {@link dev.treadle.cli.StatusDisplay}.
 */
@NullMarked
package dev.treadle.cli;

import org.jspecify.annotations.NullMarked;
