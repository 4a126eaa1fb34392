// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
/**
 * Timers: a million of them, started and cancelled in constant time, one thread for all, never early.
 *
 * <pre>
 *   any thread            TimerThread.start(node, deadline)        TimerThread.cancel(node)
 *                                    |                                       |
 *                                    v                                       v
 *   TimerWheel (one lock)   start: link into a slot                 cancel: unlink, true
 *                                    |
 *                     TimerSlots: 8 levels of 64 slots, the finest of one tick each
 *                                    |  its tick is reached
 *                     near: what is due in this tick, by deadline
 *                                    |  its deadline is reached
 *                                    v
 *   timer thread           TimerNode.fire(), under no lock
 * </pre>
 *
 * <p><b>Roles.</b> <em>Any thread</em> starts and cancels. One <em>driver</em> at a time moves the wheel's time on and
 * fires what is due: a {@link dev.treadle.timer.TimerThread} in real time, or a simulation that calls {@link
 * dev.treadle.timer.TimerWheel#advance} in virtual time.
 *
 * <p><b>Read next:</b> {@link dev.treadle.timer.TimerNode} (what a user of the package writes), {@link
 * dev.treadle.timer.TimerWheel} (the places a node can be in, the wake-up argument), {@code TimerSlots} (levels and
 * slots), and docs/design/0006-timers.md (what else was tried, figures).
 */
@NullMarked
package dev.treadle.timer;

import org.jspecify.annotations.NullMarked;
