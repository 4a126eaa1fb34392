// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.vt;

import dev.treadle.benchmarks.Fairness;
import dev.treadle.benchmarks.Peer;
import dev.treadle.benchmarks.RollCall;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Wakes;
import java.util.concurrent.ThreadFactory;

/** Processes that wait: idle-memory, wake-latency, fairness. */
final class Waiting {
    private static final Object WORK = "work";

    private Waiting() {}

    static Peer.Crowd crowd(ThreadFactory threads, int count) throws InterruptedException {
        var roll = new RollCall(count);
        var crowd = new Mailbox[count];
        for (int i = 0; i < count; i++) {
            var mailbox = new Mailbox();
            crowd[i] = mailbox;
            VtPeer.start(threads, () -> {
                while (mailbox.receive().equals(WORK)) {
                    roll.here();
                }
            });
            mailbox.send(WORK);
        }
        roll.check();
        return () -> {
            roll.again();
            for (Mailbox mailbox : crowd) {
                mailbox.send(WORK);
            }
            roll.check();
        };
    }

    static Runnable sleeper(ThreadFactory threads, Wakes wakes) {
        var mailbox = new Mailbox();
        VtPeer.start(threads, () -> {
            while (mailbox.receive().equals(WORK)) {
                wakes.turn();
            }
        });
        return () -> mailbox.send(WORK);
    }

    static Runnable fairness(ThreadFactory threads, Fairness fairness) {
        var crowd = new Mailbox[fairness.crowd()];
        for (int i = 0; i < crowd.length; i++) {
            var mailbox = new Mailbox();
            crowd[i] = mailbox;
            VtPeer.start(threads, () -> {
                mailbox.receive();
                fairness.ran();
            });
        }
        for (int i = 0; i < Shape.HOGS; i++) {
            VtPeer.start(threads, () -> {
                fairness.hogStarted();
                while (fairness.hogTurn()) {
                    Thread.yield();
                }
            });
        }
        return () -> {
            for (Mailbox mailbox : crowd) {
                mailbox.send(WORK);
            }
        };
    }
}
