// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TopWordTest {
    private static final int HALF = 1 << (TopWord.INDEX_BITS - 1);

    @Test
    void givenTagAndIndex_whenPacked_thenBothComeBack() {
        long word = TopWord.of(TopWord.TAG_MAX, TopWord.INDEX_MASK);

        assertThat(TopWord.tag(word)).isEqualTo(TopWord.TAG_MAX);
        assertThat(TopWord.index(word)).isEqualTo(TopWord.INDEX_MASK);
        assertThat(word).as("every bit is used").isEqualTo(-1);
    }

    @Test
    void whenRenewed_thenTagGoesUpAndIndexStays() {
        assertThat(TopWord.renewed(TopWord.of(7, 5))).isEqualTo(TopWord.of(8, 5));
        assertThat(TopWord.renewed(TopWord.of(TopWord.TAG_MAX, 5)))
                .as("the last tag")
                .isEqualTo(TopWord.of(0, 5));
    }

    @Test
    void whenAdvanced_thenTagGoesUpByOneWhateverTheCount() {
        assertThat(TopWord.advanced(TopWord.of(7, 5), 3)).isEqualTo(TopWord.of(8, 8));
        assertThat(TopWord.advanced(TopWord.of(TopWord.TAG_MAX, TopWord.INDEX_MASK), 3))
                .as("an index that goes round must not touch the tag")
                .isEqualTo(TopWord.of(0, 2));
    }

    @Test
    void givenIndexesOnBothSidesOfTheWrap_thenDistanceHasTheRightSign() {
        assertThat(TopWord.distance(TopWord.INDEX_MASK, 1)).isEqualTo(2);
        assertThat(TopWord.distance(1, TopWord.INDEX_MASK)).isEqualTo(-2);
        assertThat(TopWord.distance(5, 5)).isZero();
    }

    @Test
    void givenIndexesAsFarApartAsCanBeTold_thenDistanceIsExact() {
        assertThat(TopWord.distance(10, TopWord.add(10, HALF - 1))).isEqualTo(HALF - 1);
        assertThat(TopWord.distance(10, TopWord.add(10, HALF)))
                .as("one further")
                .isEqualTo(-HALF);
        assertThat(WorkStealingDeque.CAPACITY_MAX)
                .as("a full deque stays clear of it")
                .isLessThan(HALF);
    }
}
