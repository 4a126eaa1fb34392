// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

/** What rights are about. */
public enum Permission {
    /**
     * To be started on a host; the object is the name of the host. Asked of the new process, whose rights are those of its
     * spawner or less.
     */
    SPAWN,
    /** To send to processes of another host; the object is the name of the host. */
    SEND,
    /** To run a command; the object is the full name of its class. */
    RUN,
    /** To cancel or terminate processes of a host; the object is the name of the host. */
    CANCEL
}
