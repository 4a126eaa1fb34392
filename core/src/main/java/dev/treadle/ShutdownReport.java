// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.util.List;

/**
 * How a shutdown went.
 *
 * @param ended how many processes ended by themselves after they were asked to
 * @param waiting how many were ended because nothing could happen to them any more: asked to end, they waited on, for
 *     messages that could not come
 * @param forced how many were ended by force when the time was up, or could not be ended at all
 * @param stuck those that held a thread in user code that did not return, by name and place: a step or a close, in which
 *     case it is a part of {@code forced}, or a blocking call
 * @param elapsed how long it took
 */
public record ShutdownReport(int ended, int waiting, int forced, List<Stuck> stuck, Duration elapsed) {
    /**
     * A process whose step or close did not return, although its thread was interrupted, or one of whose blocking calls did
     * not, although it was told to stop.
     *
     * @param pid the process
     * @param thread the name of the thread that it still holds; a daemon
     * @param stack where it was
     */
    public record Stuck(Pid pid, String thread, List<StackTraceElement> stack) {}

    /** Returns whether no process had to be ended by force. */
    public boolean isGraceful() {
        return forced == 0;
    }

    @Override
    public String toString() {
        var text = new StringBuilder()
                .append(ended)
                .append(" ended by themselves, ")
                .append(waiting)
                .append(" were waiting, ")
                .append(forced)
                .append(" ended by force, in ")
                .append(elapsed.toMillis())
                .append(" ms");
        for (Stuck each : stuck) {
            text.append("; stuck: ").append(each.pid()).append(" on ").append(each.thread());
            if (!each.stack().isEmpty()) {
                text.append(" at ").append(each.stack().get(0));
            }
        }
        return text.toString();
    }
}
