// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/**
 * The value of an attribute that bounds what may be laid over it: the rights of a process, say, that its children and the
 * messages it handles can narrow but not widen.
 */
public interface BoundingAttribute {
    /**
     * Returns what holds when another value is laid over this one: by a child over its parent's, or by an event over that
     * of the process that handles it. Any thread; must be quick, and must not throw.
     *
     * @param over the other value, of any type
     */
    Object bound(Object over);
}
