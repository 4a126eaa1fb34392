// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/**
 * What one worker has done so far, and what it holds now.
 *
 * @param index which worker; spare ones come after the others
 * @param steps how many steps it has run
 * @param events how many events it has handed to them
 * @param messagesSent how many messages its processes have sent
 * @param yields how many commands it has dispatched
 * @param stealsTried how many times it looked into another's deque that was not empty
 * @param stealsWon how many times it got something there
 * @param itemsStolen how many processes it took that way
 * @param parks how many times it went to sleep
 * @param wakeUpsUseful how many times it was woken and found work
 * @param wakeUpsInVain how many times it was woken and found none
 * @param queueLength how many ready processes wait in its own queues
 */
public record WorkerStats(
        int index,
        long steps,
        long events,
        long messagesSent,
        long yields,
        long stealsTried,
        long stealsWon,
        long itemsStolen,
        long parks,
        long wakeUpsUseful,
        long wakeUpsInVain,
        int queueLength) {
    static final WorkerStats NONE = new WorkerStats(-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Returns the sum of these figures and those of another worker. */
    WorkerStats plus(WorkerStats that) {
        return new WorkerStats(
                -1,
                steps + that.steps,
                events + that.events,
                messagesSent + that.messagesSent,
                yields + that.yields,
                stealsTried + that.stealsTried,
                stealsWon + that.stealsWon,
                itemsStolen + that.itemsStolen,
                parks + that.parks,
                wakeUpsUseful + that.wakeUpsUseful,
                wakeUpsInVain + that.wakeUpsInVain,
                queueLength + that.queueLength);
    }
}
