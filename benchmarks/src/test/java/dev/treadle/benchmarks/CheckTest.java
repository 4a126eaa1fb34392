// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

/** What the workloads check: each of these is a way in which a peer could be wrong, and fast. */
class CheckTest {
    @Test
    void whenMessagesAreLostOrDoubled_thenTheSumTells() throws Exception {
        var tally = new Tally(2);
        tally.done(10);
        tally.done(11);

        tally.check("balls", 21);
        assertThatIllegalStateException()
                .isThrownBy(() -> tally.check("balls", 20))
                .withMessageContaining("balls was 21, must be 20");
    }

    @Test
    void whenMessagesOfOneProducerComeOutOfOrder_thenTheConsumerTells() {
        var arrivals = new Arrivals(3);

        assertThat(arrivals.isLast(Arrivals.message(1, 0))).isFalse();
        assertThat(arrivals.isLast(Arrivals.message(0, 0))).isFalse();
        assertThatIllegalStateException()
                .isThrownBy(() -> arrivals.isLast(Arrivals.message(1, 2)))
                .withMessageContaining("message 2 of producer 1")
                .withMessageContaining("message 1 was due");
    }

    @Test
    void whenTheLastMessageComes_thenTheConsumerKnows() {
        var arrivals = new Arrivals(2);

        assertThat(arrivals.isLast(Arrivals.message(99, 0))).isFalse();
        assertThat(arrivals.isLast(Arrivals.message(99, 1))).isTrue();
    }

    @Test
    void whenAProcessComputedTheWrongMessage_thenFjcreateTells() {
        var creations = new Creations(2);
        creations.ended(creations.next());
        creations.ended(7);

        assertThatIllegalStateException().isThrownBy(creations::check).withMessageContaining("sum of fjcreate");
    }

    @Test
    void whenTooManyAreAlive_thenTheCreatorWaits() {
        var creations = new Creations(2 * Shape.ALIVE_MAX);
        for (int i = 0; i < Shape.ALIVE_MAX - 1; i++) {
            creations.next();
        }
        assertThat(creations.isFull()).isFalse();

        int last = creations.next();
        assertThat(creations.isFull()).isTrue();

        creations.ended(last);
        assertThat(creations.isFull()).isFalse();
    }

    @Test
    void whenAProcessWakesTooEarly_thenTimersTell() {
        var sleeps = new Sleeps(100);
        int longest = 0;
        for (int i = 0; i < 100; i++) {
            longest = sleeps.start(i) > sleeps.start(longest) ? i : longest;
        }
        int sleeper = longest;

        assertThatIllegalStateException()
                .isThrownBy(() -> sleeps.end(sleeper))
                .withMessageContaining("process " + sleeper + " slept");
    }

    @Test
    void whenASizeCannotBeShared_thenTheMessageSaysWhich() {
        assertThat(Shape.share(120, 60)).isEqualTo(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Shape.share(100, 60))
                .withMessageContaining("size was 100, must be a multiple of 60");
        assertThat(Shape.skynetLeaves(1_111)).isEqualTo(1_000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Shape.skynetLeaves(1_000))
                .withMessageContaining("size was 1000");
    }

    @Test
    void whenTwoColoursMeet_thenBothTakeTheThird() {
        assertThat(Colours.afterMeeting(0, 1)).isEqualTo(2);
        assertThat(Colours.afterMeeting(2, 1)).isZero();
        assertThat(Colours.afterMeeting(1, 1)).isEqualTo(1);
    }

    @Test
    void whenTheTokenHasMadeItsHops_thenItStops() {
        var token = new Token(2);

        assertThat(token.hop()).isTrue();
        assertThat(token.hop()).isFalse();
    }
}
