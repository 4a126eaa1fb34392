// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLI_Result;

/**
 * The owner writes a field of the process and puts it to sleep; whoever wakes it is the next owner, and reads the field.
 *
 * <p>Results: whether it slept, what the waker was told, what it read (-1 if it did not become the owner). Covers the plain
 * fields of {@link ProcessCell}, which go from owner to owner through the queue.
 */
@JCStressTest
@Outcome(id = "true, WAKE, 7", expect = Expect.ACCEPTABLE, desc = "handed over")
@Outcome(id = "false, QUEUED, -1", expect = Expect.ACCEPTABLE, desc = "kept")
@Outcome(expect = Expect.FORBIDDEN, desc = "the next owner does not see what the last one wrote")
@State
public class HandOverStress {
    private final QueueUnderTest queue = QueueUnderTest.create();

    @Actor
    public void owner(LLI_Result result) {
        result.r1 = queue.writeAndSleep((byte) 7);
    }

    @Actor
    public void waker(LLI_Result result) {
        EventStack.Push push = queue.pushMessage("content");
        result.r2 = push;
        result.r3 = push == EventStack.Push.WAKE ? queue.written() : -1;
    }
}
