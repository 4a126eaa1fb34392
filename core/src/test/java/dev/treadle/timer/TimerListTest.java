// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.timer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TimerListTest {
    private final List<String> log = new ArrayList<>();

    @Test
    void givenNodesInAnyOrder_whenMerged_thenOrderedByDeadlineAndStable() {
        for (int seed = 0; seed < 2_000; seed++) {
            var random = new SplittableRandom(seed);
            // Few different deadlines around the wrap of a long, so that many are equal.
            long origin = Long.MAX_VALUE - 5;
            var sorted = new TimerList(-1);
            var expected = new ArrayList<TimerNode>();
            for (int round = 0; round < 4; round++) {
                var arrivals = new TimerList(-1);
                int count = random.nextInt(40);
                for (int i = 0; i < count; i++) {
                    var node = new NamedTimer("timer " + round + "." + i, log);
                    node.deadlineNanos = origin + random.nextInt(1, 12);
                    arrivals.addLast(node);
                    expected.add(node);
                }

                sorted.mergeSorted(arrivals);

                expected.sort(Comparator.comparingLong(node -> node.deadlineNanos - origin));
                assertThat(arrivals.isEmpty()).as("seed %d", seed).isTrue();
                assertThat(forwards(sorted)).as("seed %d", seed).containsExactlyElementsOf(expected);
                assertThat(backwards(sorted)).as("seed %d", seed).containsExactlyElementsOf(expected);
            }
        }
    }

    @Test
    void givenManyNodesInReverse_whenMerged_thenOrdered() {
        // The worst case of the sort: each run is one node long.
        int count = 100_000;
        var arrivals = new TimerList(-1);
        for (int i = 0; i < count; i++) {
            var node = new NamedTimer("timer", log);
            node.deadlineNanos = i;
            arrivals.addFirst(node);
        }
        var sorted = new TimerList(-1);

        sorted.mergeSorted(arrivals);

        assertThat(forwards(sorted))
                .extracting(node -> node.deadlineNanos)
                .isSorted()
                .hasSize(count);
    }

    @Test
    void whenNodeLeaves_thenItIsLinkedToNothing() {
        var list = new TimerList(-1);
        var first = new NamedTimer("first", log);
        var second = new NamedTimer("second", log);
        list.addLast(first);
        list.addLast(second);

        first.unlink();

        assertThat(first.next).isSameAs(first);
        assertThat(first.prev).isSameAs(first);
        assertThat(forwards(list)).containsExactly(second);
    }

    private static List<TimerNode> forwards(TimerList list) {
        var nodes = new ArrayList<TimerNode>();
        for (TimerNode node = list.first(); node != list; node = node.next) {
            nodes.add(node);
        }
        return nodes;
    }

    private static List<TimerNode> backwards(TimerList list) {
        var nodes = new ArrayList<TimerNode>();
        for (TimerNode node = list.last(); node != list; node = node.prev) {
            nodes.add(0, node);
        }
        return nodes;
    }
}
