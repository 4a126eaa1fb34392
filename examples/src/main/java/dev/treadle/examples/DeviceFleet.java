// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessRef;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import dev.treadle.node.Backoff;
import dev.treadle.node.ChildSpec;
import dev.treadle.node.Node;
import dev.treadle.node.NodeContext;
import dev.treadle.node.Restart;
import dev.treadle.node.ServiceSpec;
import dev.treadle.node.Spawn;
import dev.treadle.node.SupervisorSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Devices at several sites, each with a process here that stands for it: its twin. Twins send telemetry, take commands,
 * break, and are started again.
 *
 * <pre>
 *   fleet                      host "system"
 *    |- telemetry
 *    |- site-0                 host "devices"
 *    |   |- device-0-0
 *    |   |- device-0-1 ...
 *    |- site-1 ...
 * </pre>
 *
 * <p>A twin has a name, so that others find it whichever life it is in, and is in the group of its site. The two hosts have
 * workers of their own: however busy the devices are, the system answers.
 */
public final class DeviceFleet {
    /** What a device has measured. */
    record Reading(String device, int value) {}

    private DeviceFleet() {}

    /** Starts a node with a fleet, and waits until all of it has started. */
    static Node start(int sites, int devicesPerSite, Duration interval) {
        SupervisorSpec fleet = SupervisorSpec.oneForOne()
                .child("telemetry", Spawn.of(Telemetry::new).name("telemetry"));
        for (int site = 0; site < sites; site++) {
            fleet = fleet.child(ChildSpec.supervisor("site-" + site, site(site, devicesPerSite, interval))
                    .on("devices"));
        }
        return Node.builder()
                .name("fleet")
                .host("system", host -> host.workers(1))
                .host("devices")
                .service(ServiceSpec.of("fleet", fleet)) // stopped in order when the node ends
                .start();
    }

    private static SupervisorSpec site(int site, int devices, Duration interval) {
        SupervisorSpec supervisor = SupervisorSpec.oneForOne()
                .intensity(devices, Duration.ofSeconds(10))
                .backoff(Backoff.exponential(Duration.ofMillis(10), Duration.ofSeconds(1)));
        for (int i = 0; i < devices; i++) {
            String name = "device-" + site + "-" + i;
            String group = "site-" + site;
            supervisor = supervisor.child(ChildSpec.of(
                            name,
                            Spawn.of(() -> new Device(name, group, interval)).name(name))
                    .restart(Restart.PERMANENT));
        }
        return supervisor;
    }

    /** The twin of a device. */
    static final class Device implements Process {
        private final String name;
        private final String group;
        private final Duration interval;
        private ProcessContext context;
        private NodeContext node;
        private boolean joined;
        private int target = 20;

        Device(String name, String group, Duration interval) {
            this.name = name;
            this.group = group;
            this.interval = interval;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
            node = NodeContext.of(context);
            context.timers().every(interval, "measure", null);
        }

        @Override
        public void step(Events events, StepOutput out) {
            if (!joined) {
                joined = true;
                node.join(group); // not in init: there nobody knows this process yet
            }
            for (Event event : events) {
                if (event instanceof Message message) {
                    receive(message);
                } else if (event instanceof Signal signal && signal.isCancel()) {
                    out.done();
                }
            }
        }

        private void receive(Message message) {
            switch (message.topic()) {
                case "measure" -> {
                    int value = target + context.random().nextInt(3) - 1;
                    node.send("telemetry", "reading", new Reading(name, value));
                }
                case "target" -> target = message.payload(Integer.class);
                case "break" -> throw new IllegalStateException(name + " broke, as it was told to");
                default -> throw new IllegalArgumentException(name + " got an unknown " + message);
            }
        }
    }

    /** Knows the last reading of each device. Ask it for "readings". */
    static final class Telemetry implements Process {
        private final Map<String, Integer> lastReadings = new HashMap<>();
        private ProcessContext context;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message && message.topic().equals("reading")) {
                    Reading reading = message.payload(Reading.class);
                    lastReadings.put(reading.device(), reading.value());
                } else if (event instanceof Message message && message.isRequest()) {
                    context.reply(message, new TreeMap<>(lastReadings)); // a copy: the map goes on changing
                } else if (event instanceof Signal signal && signal.isCancel()) {
                    out.done();
                }
            }
        }
    }

    /** Asks for the last reading of each device. */
    @SuppressWarnings("unchecked") // what telemetry replies with
    static Map<String, Integer> readings(Node node) throws Exception {
        ProcessRef telemetry =
                node.names().find("telemetry").flatMap(node::find).orElseThrow();
        return (Map<String, Integer>) Objects.requireNonNull(
                telemetry.ask("readings", null, Duration.ofSeconds(5)).get());
    }

    /** Runs six devices for a second, breaks one, and heats a site. */
    public static void main(String[] args) throws Exception {
        try (Node node = start(2, 3, Duration.ofMillis(100))) {
            Thread.sleep(500);
            node.names().send("device-0-1", "break", null);
            node.groups().broadcast("site-1", "target", 80);
            Thread.sleep(500);
            System.out.println(node.tree());
            System.out.println(readings(node));
        }
    }
}
