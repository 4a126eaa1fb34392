// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TrackedListTest {
    private static final class Item implements Tracked {
        private int index = TrackedList.NOWHERE;
        private boolean over;
        private int looks;

        @Override
        public int index() {
            return index;
        }

        @Override
        public void index(int index) {
            this.index = index;
        }

        @Override
        public boolean isOver() {
            looks++;
            return over;
        }
    }

    private final TrackedList<Item> list = new TrackedList<>();

    @Test
    void whatIsOverIsSweptAndTheRestStays() {
        Set<Item> open = new HashSet<>();
        var random = new Random(42);
        for (int i = 0; i < 10_000; i++) {
            var item = new Item();
            list.add(item);
            open.add(item);
            if (random.nextInt(10) > 0 && !open.isEmpty()) {
                Item other = open.iterator().next();
                open.remove(other);
                if (random.nextBoolean()) {
                    list.remove(other);
                    list.remove(other); // the second time it is not there
                } else {
                    other.over = true;
                }
            }
            assertThat(list.size()).isLessThanOrEqualTo(2 * open.size() + TrackedList.SWEEP_MIN + i / 10);
        }
        assertThat(list.takeAll()).containsAll(open);
        assertThat(list.size()).isZero();
        assertThat(open).allMatch(item -> item.index() == TrackedList.NOWHERE);
    }

    @Test
    void aListOfWhatIsOverStaysShort() {
        for (int i = 0; i < 10_000; i++) {
            var item = new Item();
            list.add(item);
            item.over = true;
            assertThat(list.size()).isLessThanOrEqualTo(TrackedList.SWEEP_MIN + 1);
        }
    }

    private Item add() {
        var item = new Item();
        list.add(item);
        return item;
    }

    @Test
    void theListIsLookedThroughEachTimeItHasDoubled() {
        Item first = add();
        int added = 1;
        for (int length = TrackedList.SWEEP_MIN; length <= 1_024; length *= 2) {
            int looks = first.looks;
            for (; added < length; added++) {
                add();
            }
            assertThat(first.looks)
                    .as("looks before it is longer than %d", length)
                    .isEqualTo(looks);
            add();
            added++;
            assertThat(first.looks).as("looks when it is").isEqualTo(looks + 1);
        }
    }

    @Test
    void whatWasSweptIsNowhereAndTheRestIsWhereItSays() {
        Item gone = add();
        Item kept = add();
        gone.over = true;
        for (int i = 0; i < TrackedList.SWEEP_MIN - 1; i++) {
            add();
        }
        assertThat(gone.index()).isEqualTo(TrackedList.NOWHERE);
        assertThat(kept.index()).isZero();
        assertThat(list.size()).isEqualTo(TrackedList.SWEEP_MIN);
        list.remove(gone);
        list.remove(kept);
        assertThat(list.takeAll()).hasSize(TrackedList.SWEEP_MIN - 1).doesNotContain(gone, kept);
    }

    @Test
    void aListThatWasEmptiedIsSweptAsSoonAsANewOne() {
        for (int i = 0; i < 1_000; i++) {
            add();
        }
        list.takeAll();
        for (int i = 0; i < TrackedList.SWEEP_MIN; i++) {
            add().over = true;
        }
        add();
        assertThat(list.size()).isEqualTo(1);
    }
}
