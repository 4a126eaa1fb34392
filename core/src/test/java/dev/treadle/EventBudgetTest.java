// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static dev.treadle.Soon.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Contract line P3: what a step gets. The order of all kinds of events is checked by {@link ProcessModelTest} too. */
class EventBudgetTest {
    private static final int BUDGET = 64;

    private static SchedulerBuilder builder(int workers) {
        return Scheduler.builder().workers(workers).slowStepLimit(Duration.ofMinutes(5));
    }

    /** P3: all that is queued comes in one step, in order, up to the budget; at the budget and one past it. */
    @AtWorkers
    void p3_whenEventsAreQueued_thenAStepGetsAllUpToTheBudget(int workers) throws Exception {
        for (int queued : new int[] {1, BUDGET - 1, BUDGET, BUDGET + 1, 2 * BUDGET, 2 * BUDGET + 1}) {
            var sizes = new CopyOnWriteArrayList<Integer>();
            var payloads = new CopyOnWriteArrayList<Object>();
            var inFirstStep = new CountDownLatch(1);
            var allSent = new CountDownLatch(1);
            var process = Process.of((events, out) -> {
                if (inFirstStep.getCount() > 0) {
                    inFirstStep.countDown();
                    allSent.await();
                    return;
                }
                sizes.add(events.size());
                events.forEach(event -> payloads.add(((Message) event).payload()));
                if (payloads.size() == queued) {
                    out.done();
                }
            });
            try (Scheduler scheduler = builder(workers).start()) {
                ProcessRef ref = scheduler.submit(process, "main");
                inFirstStep.await();
                List<Object> sent = new ArrayList<>();
                for (int i = 0; i < queued; i++) {
                    ref.send("count", i);
                    sent.add(i);
                }
                allSent.countDown();

                assertThat(ref.result()).as("%d queued", queued).succeedsWithin(LIMIT);
                assertThat(payloads).isEqualTo(sent);
                assertThat(sizes).isEqualTo(batches(queued));
            }
        }
    }

    private static List<Integer> batches(int queued) {
        var sizes = new ArrayList<Integer>();
        for (int left = queued; left > 0; left -= BUDGET) {
            sizes.add(Math.min(left, BUDGET));
        }
        return sizes;
    }

    /** P3: what is left keeps the process ready, behind others: those run before it goes on. */
    @AtWorkers
    void p3_whenTheBudgetIsSpent_thenOthersRunInBetween(int workers) {
        var log = new ArrayList<String>();
        try (SteppedScheduler stepped = builder(workers).stepped()) {
            ProcessRef greedy = stepped.scheduler().submit(logging("greedy", log), "main");
            ProcessRef modest = stepped.scheduler().submit(logging("modest", log), "main");
            stepped.runAll();
            log.clear();
            for (int i = 0; i < 2 * BUDGET + 1; i++) {
                greedy.send("count", i);
            }
            modest.send("count", 0);

            // One worker runs them all, so that the order tells who was behind whom.
            while (stepped.runOne(workers - 1)) {
                if (log.size() == 2) {
                    modest.send("count", 1);
                }
            }

            assertThat(log).containsExactly("greedy 64", "modest 1", "modest 1", "greedy 64", "greedy 1");
        }
    }

    private static Process logging(String name, List<String> log) {
        return Process.of((events, out) -> log.add(name + " " + events.size()));
    }

    /** P3: the budget is a setting, and it counts events of every kind. */
    @AtWorkers
    void p3_whenTheBudgetIsSet_thenStepsGetThatMany(int workers) {
        for (int budget : new int[] {1, 2, 3, 1_000}) {
            var sizes = new ArrayList<Integer>();
            var kinds = new StringBuilder();
            var receivers = new ArrayList<ResultReceiver>();
            var registry = new CommandRegistry().register(Later.class, (command, receiver) -> receivers.add(receiver));
            var process = Process.of((events, out) -> {
                if (events.isEmpty()) {
                    out.yield(new Later(), 1);
                    out.yield(new Later(), 2);
                } else {
                    sizes.add(events.size());
                    events.forEach(event -> kinds.append(kind(event)));
                }
                out.idle();
            });
            try (SteppedScheduler stepped =
                    builder(workers).handlers(registry).eventBudget(budget).stepped()) {
                ProcessRef ref = stepped.scheduler().submit(process, "main");
                stepped.runAll();
                ref.send("m", null);
                receivers.get(0).complete("a");
                ref.send("m", null);
                ref.cancel("s");
                receivers.get(1).complete("b");

                stepped.runAll();

                assertThat(kinds).as("budget %d", budget).hasToString("SMCMC");
                assertThat(sizes).allMatch(size -> size <= budget);
                assertThat(sizes).hasSize((5 + budget - 1) / budget);
                ref.terminate();
            }
        }
    }

    private static char kind(Event event) {
        return event instanceof Message ? 'M' : event instanceof Completion ? 'C' : 'S';
    }

    private record Later() implements Command {}

    /** P3: a step gets what is queued when it starts: what comes during the step is for the next one. */
    @AtWorkers
    void p3_whenAnEventComesDuringTheStep_thenTheNextStepGetsIt(int workers) {
        var sizes = new ArrayList<Integer>();
        try (SteppedScheduler stepped = builder(workers).stepped()) {
            var process = new TrackedProcess[1];
            process[0] = new TrackedProcess((events, out) -> {
                sizes.add(events.size());
                if (sizes.size() < 4) {
                    process[0].context().send(process[0].context().self(), "to myself", null);
                    assertThat(events.size()).as("the batch does not grow").isEqualTo(sizes.get(sizes.size() - 1));
                }
            });
            stepped.scheduler().submit(process[0], "main");
            stepped.runAll();
        }
        assertThat(sizes.subList(0, 4)).containsExactly(0, 1, 1, 1);
    }
}
