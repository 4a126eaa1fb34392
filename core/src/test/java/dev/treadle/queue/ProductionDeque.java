// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The production class as a subject of model and stress tests. */
final class ProductionDeque implements DequeSubject {
    private final WorkStealingDeque<Item> deque;
    private final Queue<WorkStealingDeque<Item>> dequesOfThieves = new ConcurrentLinkedQueue<>();

    ProductionDeque(WorkStealingDeque<Item> deque) {
        this.deque = deque;
    }

    @Override
    public boolean push(Item item) {
        return deque.push(item);
    }

    @Override
    public @Nullable Item pop() {
        return deque.pop();
    }

    @Override
    public @Nullable Item popOldest() {
        return deque.popOldest();
    }

    @Override
    public @Nullable Item steal() {
        return deque.steal();
    }

    @Override
    public Thief thief() {
        var mine = new WorkStealingDeque<Item>(WorkStealingDeque.TRANSFER_MAX, WorkStealingDeque.TRANSFER_MAX);
        dequesOfThieves.add(mine);
        return into -> {
            int count = 0;
            for (Item item = deque.stealHalfInto(mine); item != null; item = mine.pop()) {
                into[count++] = item;
            }
            return count;
        };
    }

    /** Returns every item that the deque and those of its thieves refer to, dead or alive. */
    List<Object> reachable() {
        var items = new ArrayList<>(Queues.reachableFrom(deque));
        for (WorkStealingDeque<Item> mine : dequesOfThieves) {
            items.addAll(Queues.reachableFrom(mine));
        }
        return items;
    }
}
