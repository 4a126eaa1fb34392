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
 * A message and then a completion come in while the process begins to await: the message must not keep it awake, the
 * completion wakes it, once.
 *
 * <p>Results: whether it sleeps, what the sender of the completion was told.
 */
@JCStressTest
@Outcome(id = "true, WAKE", expect = Expect.ACCEPTABLE, desc = "the completion wakes it")
@Outcome(id = "false, QUEUED", expect = Expect.ACCEPTABLE, desc = "the owner keeps it ready")
@Outcome(expect = Expect.FORBIDDEN, desc = "a lost or a double wake-up")
@State
public class AwaitStress {
    private final QueueUnderTest queue = QueueUnderTest.create();

    @Actor
    public void owner(LL_Result result) {
        result.r1 = queue.sleep(ProcessState.BLOCKED);
    }

    @Actor
    public void sender(LL_Result result) {
        queue.pushMessage("content");
        result.r2 = queue.pushUrgent();
    }
}
