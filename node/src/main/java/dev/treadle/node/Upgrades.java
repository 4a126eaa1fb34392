// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import dev.treadle.Scheduler;
import dev.treadle.relay.Delivery;
import java.util.LinkedHashMap;
import java.util.Map;

/** Upgrades processes in place, by the definition that they were started by. */
final class Upgrades {
    private final Node node;

    Upgrades(Node node) {
        this.node = node;
    }

    /** Any thread: see {@link Node#upgrade}. */
    int upgrade(String definition) {
        node.definitions().check(definition);
        node.hosts().forEach(host -> refuseSupervisors(host, definition));
        int told = 0;
        for (Host host : node.hosts()) {
            var found = new LinkedHashMap<Pid, Defined>();
            var starting = new int[1];
            host.relations().forEach((id, relations) -> {
                Defined defined = relations.definition;
                if (defined != null && defined.name().equals(definition)) {
                    if (relations.starting) {
                        relations.upgradeDue = true;
                        starting[0]++;
                    } else {
                        found.put(Pid.of(host.name(), id), defined);
                    }
                }
            });
            told += starting[0];
            for (Map.Entry<Pid, Defined> each : found.entrySet()) {
                told += order(each.getKey(), each.getValue()).isDelivered() ? 1 : 0;
            }
        }
        return told;
    }

    private void refuseSupervisors(Host host, String definition) {
        host.relations().forEach((id, relations) -> {
            Pid pid = Pid.of(host.name(), id);
            if (relations.definition != null
                    && relations.definition.name().equals(definition)
                    && node.supervisors().find(pid) != null) {
                throw new IllegalArgumentException("definition \"" + definition + "\" was not upgraded, since " + pid
                        + " is a supervisor, and its children would run twice for a while: cancel it and start it again,"
                        + " or change its children with SupervisorRef");
            }
        });
    }

    /** Tells one process that was started by a definition. */
    Delivery order(Pid pid, Defined defined) {
        Scheduler scheduler = node.schedulerOf(pid);
        return scheduler == null
                ? Delivery.NO_SUCH_PROCESS
                : scheduler.upgrade(pid, old -> defined.next(node.definitions(), old));
    }
}
