// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import dev.treadle.Command;
import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.StepOutput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An example for the tests: accounts that keep their balance in a store, which takes its time. */
final class Bank {
    private Bank() {}

    /** Reads a balance. */
    record Load(String account) implements Command {}

    /** Writes a balance. */
    record Save(String account, int balance) implements Command {}

    /** What the store holds. */
    static final class Store {
        private final Map<String, Integer> balances = new HashMap<>();

        int balance(String account) {
            return balances.getOrDefault(account, 0);
        }

        /** Lets commands be answered from this store. */
        Simulation standInto(Simulation simulation) {
            return simulation
                    .simulate(Load.class, (load, world) -> balance(load.account()))
                    .simulate(Save.class, (save, world) -> {
                        balances.put(save.account(), save.balance());
                        return null;
                    });
        }
    }

    /** Deposits to one account: loads, adds, saves. With the bug, a deposit is begun while another one is under way. */
    static final class Account implements Process {
        private final String name;
        private final boolean hasBug;
        private final List<Integer> waiting = new ArrayList<>();
        private final Map<Long, Integer> loading = new HashMap<>();
        private long tags;
        private int underWay;

        Account(String name, boolean hasBug) {
            this.name = name;
            this.hasBug = hasBug;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message && message.topic().equals("deposit")) {
                    waiting.add(message.payload(Integer.class));
                } else if (event instanceof Completion completion) {
                    Integer amount = loading.remove(completion.tag());
                    if (amount != null) {
                        out.yield(new Save(name, completion.data(Integer.class) + amount), ++tags);
                    } else {
                        underWay--;
                    }
                }
            }
            while (!waiting.isEmpty() && (hasBug || underWay == 0)) {
                underWay++;
                loading.put(++tags, waiting.remove(0));
                out.yield(new Load(name), tags);
            }
            out.idle();
        }
    }
}
