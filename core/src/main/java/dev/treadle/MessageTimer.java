// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.timer.TimerNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A timer that sends a message to its process; the origin of that message. */
final class MessageTimer extends TimerNode implements ProcessTimer, Origin, Tracked {
    /*
     * fire() sends, and starts the timer again if it is periodic; cancel() may come at any moment. cancel() writes
     * cancelled and then takes the timer off the wheel; fire() puts it on the wheel and then reads cancelled. One of the
     * two sees the other, so a cancelled timer does not stay on the wheel.
     */
    private static final long ONCE = 0;

    private final ProcessCell cell;
    private final String topic;
    private final @Nullable Object payload;
    private final Map<String, Object> attributes;
    private final long periodNanos;
    private volatile boolean cancelled;
    private volatile boolean over;
    private int index = TrackedList.NOWHERE;

    private MessageTimer(
            ProcessCell cell,
            String topic,
            @Nullable Object payload,
            Map<String, Object> attributes,
            long periodNanos) {
        this.cell = cell;
        this.topic = topic;
        this.payload = payload;
        this.attributes = attributes;
        this.periodNanos = periodNanos;
    }

    static MessageTimer once(ProcessCell cell, String topic, @Nullable Object payload, Map<String, Object> attributes) {
        return new MessageTimer(cell, topic, payload, attributes, ONCE);
    }

    static MessageTimer periodic(
            ProcessCell cell,
            String topic,
            @Nullable Object payload,
            Map<String, Object> attributes,
            long periodNanos) {
        return new MessageTimer(cell, topic, payload, attributes, periodNanos);
    }

    @Override
    protected void fire() {
        if (cancelled) {
            return;
        }
        boolean alive = cell.scheduler.routing.sendFromTimer(cell, Message.from(this, topic, payload));
        if (periodNanos == ONCE || !alive) {
            over = true;
            return;
        }
        cell.scheduler.timers.startAgain(this, periodNanos);
        if (cancelled) {
            cell.scheduler.timers.cancel(this);
        }
    }

    @Override
    public void cancel() {
        cancelled = true;
        over = true;
        cell.scheduler.timers.cancel(this);
        cell.forget(this);
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    boolean isPeriodic() {
        return periodNanos != ONCE;
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public void index(int index) {
        this.index = index;
    }

    @Override
    public Pid pid() {
        return cell.self();
    }

    @Override
    public Map<String, Object> attributes() {
        return attributes;
    }

    @Override
    public String toString() {
        return "ProcessTimer[" + topic + (isPeriodic() ? ", every " + periodNanos + " ns" : "") + ", "
                + (cancelled ? "cancelled" : over ? "over" : "set") + "]";
    }
}
