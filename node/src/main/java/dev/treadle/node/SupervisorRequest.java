// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

/** What a supervisor can be asked for. */
sealed interface SupervisorRequest {
    /** The topic of all of these. */
    String TOPIC = "treadle.supervisor";

    /** Adds a child. Its reply is the {@link dev.treadle.Pid}, when it has started. */
    record Start(ChildSpec spec) implements SupervisorRequest {}

    /** Stops a child. Replied to when it has ended. */
    record Stop(String id, boolean isForgotten) implements SupervisorRequest {}

    /** Starts a child anew. Its reply is the {@link dev.treadle.Pid}, when it has started. */
    record StartAgain(String id) implements SupervisorRequest {}

    /** Its reply is a list of {@link SupervisionTree.Entry}. */
    record Children() implements SupervisorRequest {}
}
