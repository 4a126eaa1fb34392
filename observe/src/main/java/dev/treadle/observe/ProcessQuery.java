// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.Pid;
import dev.treadle.ProcessInfo.State;
import dev.treadle.ProcessView;
import org.jspecify.annotations.Nullable;

/**
 * Which processes are wanted, in which order, and which part of them.
 *
 * @param search what pid, type, method, name or an attribute contains, in any case; empty for all
 * @param state their state, or null for any
 * @param host their host; empty for all
 * @param parent who spawned them, or null for anybody
 * @param offset how many to leave out from the start
 * @param limit how many at the most
 */
record ProcessQuery(
        Sort sort,
        boolean descending,
        String search,
        @Nullable State state,
        String host,
        @Nullable Pid parent,
        int offset,
        int limit) {
    static final int LIMIT_DEFAULT = 50;
    static final int LIMIT_MAX = 500;

    /** How deep pages go: the memory of a query is bounded by it. Nobody reads that far; a search is quicker. */
    static final int DEPTH_MAX = 10_000;

    /** What processes can be sorted by; by host and id where that is equal. */
    enum Sort {
        PID,
        STATE,
        TYPE,
        METHOD,
        STEPS,
        QUEUE,
        YIELDS,
        AGE,
        WORKER;

        /** What comes before the number; "" for most. */
        String text(ProcessView view, String host) {
            return switch (this) {
                case PID -> host;
                case STATE -> view.state().name();
                case TYPE -> view.type();
                case METHOD -> view.method();
                default -> "";
            };
        }

        long number(ProcessView view) {
            return switch (this) {
                case PID -> view.id();
                case STEPS -> view.steps();
                case QUEUE -> view.queueLength();
                case YIELDS -> view.yieldsInFlight();
                case AGE -> view.ageNanos();
                case WORKER -> view.worker();
                case STATE, TYPE, METHOD -> 0;
            };
        }
    }

    static ProcessQuery of(Parameters parameters) {
        int limit = parameters.number("limit", LIMIT_DEFAULT, 1, LIMIT_MAX);
        Sort sort = parameters.constant("sort", Sort.class);
        return new ProcessQuery(
                sort == null ? Sort.PID : sort,
                parameters.flag("desc"),
                parameters.text("q", "").strip(),
                parameters.constant("state", State.class),
                parameters.text("host", ""),
                null,
                parameters.number("offset", 0, 0, DEPTH_MAX - limit),
                limit);
    }

    /** Returns a query for the children of a process. */
    static ProcessQuery childrenOf(Pid parent, int limit) {
        return new ProcessQuery(Sort.PID, false, "", null, "", parent, 0, limit);
    }

    /** How many have to be found to know the part that is wanted. */
    int depth() {
        return offset + limit;
    }
}
