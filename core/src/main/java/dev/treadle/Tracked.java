// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/** Something that a process keeps track of until it is over, in a {@link TrackedList}. */
interface Tracked {
    /** The index in the list; {@link TrackedList#NOWHERE} if it is in none. Owner of the process only. */
    int index();

    /** Owner of the process only. */
    void index(int index);

    /** Any thread may have made it so: there is no need to track it any more. */
    boolean isOver();
}
