// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.simulate;

import dev.treadle.Command;
import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.StepOutput;
import dev.treadle.node.Spawn;
import dev.treadle.simulation.Simulation;
import dev.treadle.simulation.Trial;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Two deposits to one account, and a bug: one that comes while the other is being saved is lost. */
final class LostDeposit implements Trial {
    private static final String OWNER = "ada";

    /** Asks the store for a balance. */
    record Load(String owner) implements Command {}

    /** Tells the store a balance. */
    record Save(String owner, int balance) implements Command {}

    @Override
    public void run(Simulation simulation) {
        var store = new HashMap<String, Integer>();
        simulation
                .simulate(Load.class, (load, world) -> store.getOrDefault(load.owner(), 0))
                .simulate(Save.class, (save, world) -> store.put(save.owner(), save.balance()))
                .play(world -> {
                    Pid account = world.node().spawn(Spawn.of(Account::new)).pid();
                    for (int i = 0; i < 2; i++) {
                        world.after(
                                Duration.ofMillis(world.choose(100)),
                                () -> world.node().send(account, "deposit", 1));
                    }
                    world.eventually(
                            "both deposits are in the store",
                            Duration.ofMinutes(1),
                            () -> store.getOrDefault(OWNER, 0) == 2);
                });
    }

    /** Loads, adds and saves, for each deposit; it does not wait for one to be saved before it loads for the next. */
    private static final class Account implements Process {
        private final Map<Long, Integer> deposits = new HashMap<>();
        private long tags;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message) {
                    deposits.put(++tags, message.payload(Integer.class));
                    out.yield(new Load(OWNER), tags);
                } else if (event instanceof Completion loaded && deposits.containsKey(loaded.tag())) {
                    int balance = loaded.data(Integer.class) + deposits.remove(loaded.tag());
                    out.yield(new Save(OWNER, balance), ++tags);
                }
            }
            out.idle();
        }
    }
}
