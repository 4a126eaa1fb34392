// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * A message is sent while the process ends: it is refused, or it is among those left unread. It does not vanish.
 *
 * <p>Results: how many were left unread, what the sender was told.
 */
@JCStressTest
@Outcome(id = "1, QUEUED", expect = Expect.ACCEPTABLE, desc = "left unread")
@Outcome(id = "0, CLOSED", expect = Expect.ACCEPTABLE, desc = "refused")
@Outcome(expect = Expect.FORBIDDEN, desc = "a message vanished, or is counted twice")
@State
public class FinishStress {
    private final QueueUnderTest queue = QueueUnderTest.create();

    @Actor
    public void owner(LL_Result result) {
        result.r1 = queue.finish();
    }

    @Actor
    public void sender(LL_Result result) {
        result.r2 = queue.pushMessage("content");
    }
}
