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
 * A message is sent while the process turns idle: the sender wakes it, or it does not sleep. Exactly one of the two.
 *
 * <p>Results: whether it sleeps, what the sender was told.
 */
@JCStressTest
@Outcome(id = "true, WAKE", expect = Expect.ACCEPTABLE, desc = "the sender wakes it")
@Outcome(id = "false, QUEUED", expect = Expect.ACCEPTABLE, desc = "the owner keeps it ready")
@Outcome(expect = Expect.FORBIDDEN, desc = "a lost or a double wake-up")
@State
public class IdleStress {
    private final QueueUnderTest queue = QueueUnderTest.create();

    @Actor
    public void owner(LL_Result result) {
        result.r1 = queue.sleep(ProcessState.IDLE);
    }

    @Actor
    public void sender(LL_Result result) {
        result.r2 = queue.pushMessage("content");
    }
}
