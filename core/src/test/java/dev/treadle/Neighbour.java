// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.concurrent.CompletableFuture;

/** A process that has nothing to do with the trouble next door: it answers each ping, whatever happens to others. */
final class Neighbour implements Process {
    private ProcessRef self;
    private long pings;

    private Neighbour() {}

    static Neighbour moveInto(Scheduler scheduler) {
        var neighbour = new Neighbour();
        neighbour.self = scheduler.submit(neighbour, "main");
        return neighbour;
    }

    /** Waits for an answer, twice: the second one shows that it was put to sleep and woken. */
    void ping() {
        for (int i = 0; i < 2; i++) {
            var pong = new CompletableFuture<Long>();
            self.send("ping", pong);
            Soon.get(pong);
        }
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {}

    @Override
    @SuppressWarnings("unchecked")
    public void step(Events events, StepOutput out) {
        for (Event event : events) {
            if (event instanceof Message message && message.topic().equals("ping")) {
                pings++;
                ((CompletableFuture<Long>) message.payload()).complete(pings);
            }
        }
    }
}
