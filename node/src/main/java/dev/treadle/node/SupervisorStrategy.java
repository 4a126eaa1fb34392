// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

/** Who else is started again when a supervisor starts a child again. */
public enum SupervisorStrategy {
    /** Nobody: the children do not depend on each other. */
    ONE_FOR_ONE("one-for-one"),

    /** All other children: they are stopped, the last one first, and then all are started in order. */
    ONE_FOR_ALL("one-for-all"),

    /** Those that come after it: they are stopped, the last one first, and then it and they are started in order. */
    REST_FOR_ONE("rest-for-one");

    private final String words;

    SupervisorStrategy(String words) {
        this.words = words;
    }

    @Override
    public String toString() {
        return words;
    }
}
