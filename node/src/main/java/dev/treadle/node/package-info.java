// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * Many schedulers as one {@link dev.treadle.node.Node}: processes find each other by name and in groups, notice who ended,
 * and are started again.
 *
 * <p>Start at {@link dev.treadle.node.Node#builder}. A process gets at its node with {@link
 * dev.treadle.node.NodeContext#of}.
 */
@NullMarked
package dev.treadle.node;

import org.jspecify.annotations.NullMarked;
