// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * {@code treadle demo}: very many small processes that talk to each other.
 *
 * <pre>
 *    DemoCommand                 options, Ctrl-C, what is printed
 *       |
 *     Demo                       the scheduler, its handlers, the hubs
 *       |  submit
 *      Hub --peer--> Hub ...     one for each hundred processes
 *       |  spawn, and again when one has crashed
 *     Device --next--> Device --next--> ...   a ring
 * </pre>
 *
 * <p>A {@link dev.treadle.cli.demo.Reading} goes from a device over a few of its neighbours to the hub, perhaps on to the
 * hub's peer, and back to where it came from. A device has one reading under way at a time, so the number of messages
 * in flight has a bound, whatever the speed of the machine.
 */
@NullMarked
package dev.treadle.cli.demo;

import org.jspecify.annotations.NullMarked;
