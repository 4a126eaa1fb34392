// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A sender writes the content of a message and sends it; the step that gets the message sees the content.
 *
 * <p>Result: what the step got: 0 for nothing, 1 for the content, 9 for a content that was not there yet. Covers the plain
 * fields of {@link EventNode}, and contract line M5.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "not sent yet")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the content")
@Outcome(expect = Expect.FORBIDDEN, desc = "a message without its content")
@State
public class MessageStress {
    private final QueueUnderTest queue = QueueUnderTest.create();

    @Actor
    public void sender() {
        queue.writeAndSend(new int[1]);
    }

    @Actor
    public void owner(I_Result result) {
        result.r1 = queue.take();
    }
}
