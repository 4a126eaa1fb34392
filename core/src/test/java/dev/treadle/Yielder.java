// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A process for tests of yields: yields what it is told to at its first step, writes down what it gets, ends on "end". */
final class Yielder implements Process {
    private final Consumer<StepOutput> first;
    private final Queue<Completion> completions = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger closes = new AtomicInteger();
    private boolean begun;

    Yielder(Consumer<StepOutput> first) {
        this.first = first;
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {}

    @Override
    public void step(Events events, StepOutput out) {
        if (!begun) {
            begun = true;
            out.idle();
            first.accept(out);
        }
        for (Event event : events) {
            if (event instanceof Completion completion) {
                completions.add(completion);
                count.incrementAndGet();
            } else if (event instanceof Message message && message.topic().equals("end")) {
                out.done(message.payload());
            }
        }
    }

    @Override
    public void close() {
        closes.incrementAndGet();
    }

    int closes() {
        return closes.get();
    }

    /** What it got so far. */
    List<Completion> completions() {
        return List.copyOf(completions);
    }

    /** Waits for so many completions, ends the process, and returns all it got: more than expected show as well. */
    List<Completion> finish(ProcessRef self, int expected) {
        Soon.until(expected + " completions", () -> count.get() >= expected);
        self.send("end", null);
        Soon.get(self.result());
        return completions();
    }

    List<Long> tags() {
        return completions.stream().map(Completion::tag).toList();
    }
}
