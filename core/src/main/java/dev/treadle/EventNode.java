// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;

/**
 * A link of an {@link EventQueue}. An event is its own link, so that a message sent costs one object.
 *
 * <p>Both fields are written by the thread that pushes the node, before the compare-and-set that publishes it. After that
 * only the consumer writes them; others read those of the node on top, and what a marker there has below it.
 */
abstract class EventNode {
    /** In a queue the node pushed before this one; null from when a step gets it. */
    @Nullable
    EventNode next;

    /** The {@link ProcessState} of the queue with this node on top. */
    int word;
}
