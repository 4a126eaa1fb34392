// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.vt;

import dev.treadle.benchmarks.Creations;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import java.util.concurrent.ThreadFactory;

/** Processes that start processes: fjcreate, skynet. */
final class Families {
    private Families() {}

    static void fjcreate(ThreadFactory threads, int processes) throws InterruptedException {
        var creations = new Creations(processes);
        VtPeer.start(threads, () -> {
            while (creations.hasNext()) {
                if (creations.isFull()) {
                    Thread.yield();
                } else {
                    Integer work = creations.next();
                    var mailbox = new Mailbox();
                    VtPeer.start(threads, () -> creations.ended((Integer) mailbox.receive()));
                    mailbox.send(work);
                }
            }
        });
        creations.check();
    }

    static void skynet(ThreadFactory threads, int processes) throws InterruptedException {
        int leaves = Shape.skynetLeaves(processes);
        var tally = new Tally(1);
        var result = new Mailbox();
        VtPeer.start(threads, () -> node(threads, result, 0, leaves));
        VtPeer.start(threads, () -> tally.done((Long) result.receive()));
        tally.check("sum of ordinals", (long) leaves * (leaves - 1) / 2);
    }

    private static void node(ThreadFactory threads, Mailbox parent, long first, int leaves) {
        if (leaves == 1) {
            parent.send(first);
            return;
        }
        var mine = new Mailbox();
        int share = leaves / Shape.FAN_OUT;
        for (int i = 0; i < Shape.FAN_OUT; i++) {
            long childFirst = first + (long) i * share;
            VtPeer.start(threads, () -> node(threads, mine, childFirst, share));
        }
        long sum = 0;
        for (int i = 0; i < Shape.FAN_OUT; i++) {
            sum += (Long) mine.receive();
        }
        parent.send(sum);
    }
}
