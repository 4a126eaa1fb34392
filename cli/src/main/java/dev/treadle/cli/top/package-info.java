// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * {@code treadle top}: what the dashboard of a node shows, in a terminal.
 *
 * <pre>
 *    TopCommand     options, Ctrl-C, when to refresh
 *       |
 *    TopClient      asks the dashboard for JSON over HTTP
 *       |
 *    TopScreen      makes lines of it; nothing in them can steer a terminal
 * </pre>
 */
@NullMarked
package dev.treadle.cli.top;

import org.jspecify.annotations.NullMarked;
