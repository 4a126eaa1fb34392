// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a process was doing at a moment.
 *
 * @param pid its address
 * @param state its state
 * @param type the class of the process
 * @param method its entry point
 * @param parent the process that spawned it, or null
 * @param steps how many steps it has had
 * @param queueLength how many messages wait in its mailbox
 * @param yieldsInFlight how many of its commands are not yet answered
 * @param age how long ago it was started
 * @param worker the worker that runs it or ran it last, or -1 if none did yet
 * @param attributes what was set at submit or spawn: trace id, tenant, user
 */
public record ProcessInfo(
        Pid pid,
        State state,
        String type,
        String method,
        @Nullable Pid parent,
        long steps,
        int queueLength,
        int yieldsInFlight,
        Duration age,
        int worker,
        Map<String, Object> attributes) {
    /** What a process is doing. */
    public enum State {
        /** Queued for execution. */
        READY,
        /** A worker is executing its step. */
        RUNNING,
        /** Waiting for a command's completion. */
        BLOCKED,
        /** Waiting for messages. */
        IDLE,
        /** Its execution has finished. */
        COMPLETE
    }
}
