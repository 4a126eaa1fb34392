// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import dev.treadle.Pid;
import dev.treadle.ProcessInfo;
import dev.treadle.SteppedScheduler;
import dev.treadle.simulation.Choices.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One run of a simulation: takes turns, and lets time pass when nothing can run. The thread that made it only. */
final class Run {
    /*
     * A turn is one of: something of the agenda that is due happens, a timer that is due fires, a process that is ready
     * runs. All that could happen are in a row, and one decision picks one. The plain one is the first: so what is due
     * happens before processes go on, and of these the one that is ready for longest, host by host in turn.
     *
     * A turn may be taken inside of another one: something of the agenda stops a host, which takes turns until its
     * processes have ended. Nothing is kept from before an action to after it.
     */
    final Choices choices;
    final VirtualTime time = new VirtualTime();
    final Recording recording;
    final Agenda agenda = new Agenda();
    final Waits waits = new Waits();
    final Checks checks = new Checks();
    final Faults.Settings faults;
    final Thread thread = Thread.currentThread();
    final Map<String, SimulatedNode> nodes = new LinkedHashMap<>();
    final Directing directing;
    private final long stepsWithoutTimeMax;

    /** Processes that are held up, and until when. */
    private final Map<Pid, Long> stalled = new LinkedHashMap<>();

    /** How many turns each process has had since the clock moved. */
    private final Map<Pid, Integer> turnsNow = new HashMap<>();

    private final List<SteppedScheduler> hosts = new ArrayList<>();
    private volatile @Nullable Failure failure;
    private int faultsLeft;
    private int hostTurn;
    private long turns;
    private long stepsSinceTime;
    private boolean settled;

    Run(Choices choices, Faults.Settings faults, Settings settings) {
        this.choices = choices;
        this.faults = faults;
        this.faultsLeft = faults.most;
        this.recording = new Recording(time, settings.traceCapacity);
        this.stepsWithoutTimeMax = settings.stepsWithoutTimeMax;
        this.directing = new Directing(this, settings.standIns);
    }

    /** What a simulation is set to. */
    static final class Settings {
        int traceCapacity = 100_000;
        long stepsWithoutTimeMax = 100_000;
        StandIns standIns = new StandIns();
    }

    long turns() {
        return turns;
    }

    /** Any thread: something went wrong. The first counts; it is thrown when the turn is over. */
    void fail(Failure what) {
        if (failure == null) {
            failure = what;
        }
    }

    void throwIfFailed() {
        Failure failed = failure;
        if (failed != null) {
            throw new RunFailed(failed);
        }
    }

    /** Decides whether a fault happens here: 0 for no, else which of several. */
    int fault(Kind kind, double rate, int bound) {
        if (rate <= 0 || faultsLeft == 0 || settled) {
            return 0;
        }
        int which = choices.rarely(kind, rate, bound);
        faultsLeft -= which == 0 ? 0 : 1;
        return which;
    }

    /** From now on nothing goes wrong by itself. */
    void settle() {
        settled = true;
    }

    // Turns.

    /** Lets one thing happen; false if nothing can until then. */
    boolean turn(long untilNanos) {
        throwIfFailed();
        findHosts();
        int entries = agenda.due(time.nanos());
        int timers = 0;
        int ready = 0;
        for (SteppedScheduler host : hosts) {
            timers += host.dueTimers();
            ready += host.ready();
        }
        if (!stalled.isEmpty()) {
            stalled.values().removeIf(until -> until <= time.nanos());
            ready -= stalledAmongReady();
        }
        int all = entries + timers + ready;
        if (all == 0) {
            return moveTime(untilNanos);
        }
        int pick = all == 1 ? 0 : choices.choose(Kind.NEXT, all);
        if (pick < entries) {
            agenda.run(pick);
        } else if (pick < entries + timers) {
            fireTimer(pick - entries);
        } else {
            runProcess(pick - entries - timers);
        }
        afterTurn();
        return true;
    }

    private void findHosts() {
        hosts.clear();
        for (SimulatedNode node : nodes.values()) {
            node.addHostsTo(hosts);
        }
    }

    private int stalledAmongReady() {
        int found = 0;
        for (SteppedScheduler host : hosts) {
            for (int i = 0; i < host.ready(); i++) {
                found += stalled.containsKey(host.ready(i)) ? 1 : 0;
            }
        }
        return found;
    }

    private void fireTimer(int index) {
        int left = index;
        for (SteppedScheduler host : hosts) {
            int due = host.dueTimers();
            if (left < due) {
                host.fireTimer(left);
                return;
            }
            left -= due;
        }
    }

    private void runProcess(int index) {
        int left = index;
        for (int i = 0; i < hosts.size(); i++) {
            int at = (hostTurn + i) % hosts.size();
            SteppedScheduler host = hosts.get(at);
            for (int k = 0; k < host.ready(); k++) {
                if ((stalled.isEmpty() || !stalled.containsKey(host.ready(k))) && left-- == 0) {
                    hostTurn = at + 1;
                    runProcess(host, k);
                    return;
                }
            }
        }
    }

    private void runProcess(SteppedScheduler host, int index) {
        Pid pid = host.ready(index);
        if (fault(Kind.STALL, faults.stallRate, 2) == 1) {
            long nanos = 1 + Delays.choose(choices, Kind.DELAY, faults.stallNanosMax);
            stalled.put(pid, time.nanos() + nanos);
            recording.add(TraceEvent.Kind.FAULT, pid, "is held up for", Duration.ofNanos(nanos));
            return;
        }
        turns++;
        turnsNow.merge(pid, 1, Integer::sum);
        host.run(0, index);
        if (++stepsSinceTime > stepsWithoutTimeMax) {
            fail(livelock());
        }
    }

    private void afterTurn() {
        throwIfFailed();
        Failure violated = checks.look("after event " + recording.count());
        if (violated != null) {
            fail(violated);
            throwIfFailed();
        }
    }

    private boolean moveTime(long untilNanos) {
        long next = Math.min(agenda.nextNanos(), checks.nextDeadlineNanos());
        for (SteppedScheduler host : hosts) {
            next = Math.min(next, host.nextTimerNanos());
        }
        for (long until : stalled.values()) {
            next = Math.min(next, until);
        }
        if (next == Long.MAX_VALUE) {
            return false;
        }
        if (next > untilNanos) {
            time.moveTo(untilNanos);
            return false;
        }
        if (next > time.nanos()) {
            time.moveTo(next);
            stepsSinceTime = 0;
            turnsNow.clear();
            Failure late = checks.late(time.nanos(), false);
            if (late != null) {
                fail(late);
                throwIfFailed();
            }
            if (faults.hostLossRate > 0 || faults.restartRate > 0) {
                loseSomething();
            }
        }
        return true;
    }

    private void loseSomething() {
        for (SimulatedNode node : List.copyOf(nodes.values())) {
            if (node.isUp() && fault(Kind.LOSS, faults.restartRate, 2) == 1) {
                restart(node, faults.restartDowntimeNanos, Duration.ofSeconds(10));
            }
            for (String host : node.hostsUp()) {
                if (fault(Kind.LOSS, faults.hostLossRate, 2) == 1) {
                    loseHost(node, host);
                    agenda.add(time.nanos() + faults.hostDowntimeNanos, () -> startHost(node, host));
                }
            }
        }
    }

    /** Whether anything could happen, if time went on. */
    boolean hasMore() {
        findHosts();
        long next = Math.min(agenda.nextNanos(), checks.nextDeadlineNanos());
        for (SteppedScheduler host : hosts) {
            next = Math.min(next, host.nextTimerNanos());
        }
        return next != Long.MAX_VALUE || !stalled.isEmpty();
    }

    // Faults that are larger than a step.

    void loseHost(SimulatedNode node, String host) {
        recording.add(TraceEvent.Kind.FAULT, null, "host", host, "is lost");
        node.node().host(host).stop(Duration.ZERO);
    }

    void startHost(SimulatedNode node, String host) {
        if (node.isUp() && !node.node().host(host).isRunning()) {
            recording.add(TraceEvent.Kind.NOTE, null, "host", host, "starts");
            node.node().host(host).start();
        }
    }

    void restart(SimulatedNode node, long downtimeNanos, Duration grace) {
        recording.add(TraceEvent.Kind.FAULT, null, "node", node.name(), "stops");
        node.stop(grace);
        agenda.add(time.nanos() + downtimeNanos, () -> {
            if (!node.isUp()) {
                recording.add(TraceEvent.Kind.NOTE, null, "node", node.name(), "starts");
                node.start();
            }
        });
    }

    // Seeing.

    Optional<ProcessInfo> inspect(Pid pid) {
        for (SimulatedNode node : nodes.values()) {
            Optional<ProcessInfo> info = node.inspect(pid);
            if (info.isPresent()) {
                return info;
            }
        }
        return Optional.empty();
    }

    boolean isBlocked(Pid pid) {
        return inspect(pid)
                .map(info -> info.state() == ProcessInfo.State.BLOCKED && info.yieldsInFlight() > 0)
                .orElse(false);
    }

    /** When nothing can happen any more: who waits for ever, or null. */
    @Nullable
    Failure stuck(boolean isOver) {
        List<Pid> cycle = waits.cycle(this::isBlocked);
        if (!cycle.isEmpty()) {
            return new Failure(
                    Failure.Kind.DEADLOCK,
                    "",
                    "deadlock, each waits for the next:\n" + waits.describe(cycle),
                    List.copyOf(cycle),
                    null);
        }
        List<Pid> waiting = waits.processes().stream()
                .filter(pid -> isOver && waits.endless(pid) != null && isBlocked(pid))
                .toList();
        return waiting.isEmpty()
                ? null
                : new Failure(
                        Failure.Kind.WAITS_FOR_EVER,
                        "",
                        "nothing can happen any more, and there are processes that wait for an answer:\n"
                                + waits.describe(waiting)
                                + "\nIf the handler answers later from outside, give a stand-in with simulate(); if they may"
                                + " wait, say mayWaitForEver()",
                        waiting,
                        null);
    }

    private Failure livelock() {
        List<Map.Entry<Pid, Integer>> busiest = turnsNow.entrySet().stream()
                .sorted((a, b) -> {
                    int byTurns = Integer.compare(b.getValue(), a.getValue());
                    return byTurns != 0
                            ? byTurns
                            : Long.compare(a.getKey().id(), b.getKey().id());
                })
                .limit(4)
                .toList();
        var words = new ArrayList<String>();
        busiest.forEach(entry -> words.add("  " + entry.getKey() + " had " + entry.getValue() + " turns"));
        return new Failure(
                Failure.Kind.LIVELOCK,
                "",
                "livelock: " + stepsSinceTime + " turns at " + Duration.ofNanos(time.nanos())
                        + " and the clock did not move:\n" + String.join("\n", words)
                        + "\nIf that much has to be done at once, allow it with stepsWithoutTime()",
                busiest.stream().map(Map.Entry::getKey).toList(),
                null);
    }

    SimulatedNode node(String name) {
        return Objects.requireNonNull(
                nodes.get(name),
                () -> "node \"" + name + "\" is not one of " + nodes.keySet() + ": add it with node()");
    }
}
