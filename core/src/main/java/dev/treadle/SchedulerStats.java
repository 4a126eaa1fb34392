// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.List;
import java.util.Map;

/**
 * What a scheduler has done so far, and what it holds now. Taken while everything runs: each figure is true of a moment
 * during the call.
 *
 * @param workers the figures of each worker, spare ones that are or were in use included
 * @param processes how many processes there are in each state
 * @param globalQueueLength how many ready processes wait in the global queue
 * @param submitted how many processes were started
 * @param completed how many have ended
 * @param messagesFromOutside how many messages threads other than workers have sent to processes here
 * @param deadLetters how many messages were not delivered or not read
 * @param lateAnswers how many answers to commands came twice, too late, or after the end
 * @param listenerFailures how many times a listener or a close threw
 * @param wakeUps how many times a sleeping worker was woken
 * @param readyDelay how long processes waited from ready to running, sampled
 */
public record SchedulerStats(
        List<WorkerStats> workers,
        Map<ProcessInfo.State, Long> processes,
        int globalQueueLength,
        long submitted,
        long completed,
        long messagesFromOutside,
        long deadLetters,
        long lateAnswers,
        long listenerFailures,
        long wakeUps,
        DelayHistogram readyDelay) {
    /** Returns how many processes are alive. */
    public long alive() {
        return processes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the figures of all workers, added up; its {@code index} is -1. */
    public WorkerStats total() {
        return workers.stream().reduce(WorkerStats.NONE, WorkerStats::plus);
    }
}
