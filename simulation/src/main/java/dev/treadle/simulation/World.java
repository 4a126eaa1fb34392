// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import dev.treadle.Pid;
import dev.treadle.node.Node;
import dev.treadle.simulation.Choices.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A simulation from the inside: what a scenario and a {@link StandIn} may use. It belongs to the thread that runs the
 * simulation.
 *
 * <p>Nothing runs by itself while a scenario runs. Processes run when the scenario says {@link #run}, {@link #runUntil} or
 * {@link #settle}, when it waits for the future of a result or of an ask, and when it has returned.
 */
public final class World {
    private final Run run;
    private final Network network;
    private boolean emptyExpected;

    World(Run run, Network network) {
        this.run = run;
        this.network = network;
    }

    // Nodes.

    /**
     * Returns the node; the first one, if there are several.
     *
     * @throws IllegalStateException if it is down at this moment
     */
    public Node node() {
        return first().node();
    }

    /**
     * Returns a node.
     *
     * @throws IllegalStateException if it is down at this moment
     */
    public Node node(String name) {
        return run.node(name).node();
    }

    /** Returns whether a node is up. */
    public boolean isUp(String name) {
        return run.node(name).isUp();
    }

    /** Does something with the node, now and each time that it is started again. */
    public void boot(Consumer<Node> boot) {
        boot(first().name(), boot);
    }

    /** Does something with a node, now and each time that it is started again. */
    public void boot(String name, Consumer<Node> boot) {
        run.node(name).boot(Objects.requireNonNull(boot, "boot is null: give what starts your processes"));
    }

    private SimulatedNode first() {
        return run.nodes.values().iterator().next();
    }

    // Time.

    /** Returns how much virtual time has passed. */
    public Duration elapsed() {
        return Duration.ofNanos(run.time.nanos());
    }

    /** Returns the virtual time of day. */
    public Instant now() {
        return run.time.instant();
    }

    /** Does something after a while, outside of processes. */
    public void after(Duration delay, Runnable action) {
        Objects.requireNonNull(action, "action is null: give what to do");
        run.agenda.add(run.time.nanos() + nanos("delay", delay), action);
    }

    /** Runs until so much virtual time has passed. */
    public void run(Duration duration) {
        long until = run.time.nanos() + nanos("duration", duration);
        while (run.turn(until)) {
            // until nothing can happen before that time
        }
        run.time.moveTo(until);
    }

    /**
     * Runs until a condition holds.
     *
     * @param within for how much virtual time at the most
     * @return whether it holds
     */
    public boolean runUntil(BooleanSupplier condition, Duration within) {
        long until = run.time.nanos() + nanos("within", within);
        while (!condition.getAsBoolean()) {
            if (!run.turn(until)) {
                return condition.getAsBoolean();
            }
        }
        return true;
    }

    /** Runs until nothing can happen any more, or so much virtual time has passed; from now on nothing goes wrong by itself. */
    public void settle(Duration within) {
        run.settle();
        run(within);
    }

    // Decisions.

    /**
     * Decides on a number from 0 to below the bound, by the seed. When a failing run is shrunk, it is tried with 0.
     *
     * @throws IllegalArgumentException if the bound is not positive
     */
    public int choose(int bound) {
        if (bound < 1) {
            throw new IllegalArgumentException("bound was " + bound + ", must be positive: 1 leaves no choice");
        }
        return run.choices.choose(Kind.USER, bound);
    }

    // Checks.

    /** Wants a condition to hold after every turn from now on. It must not change anything. */
    public void always(String name, BooleanSupplier condition) {
        run.checks.always(checkName(name), Objects.requireNonNull(condition, "condition is null"), true);
    }

    /** Wants a condition not to hold after any turn from now on. It must not change anything. */
    public void never(String name, BooleanSupplier condition) {
        run.checks.always(checkName(name), Objects.requireNonNull(condition, "condition is null"), false);
    }

    /** Wants a condition to hold at some moment within a time from now. It must not change anything. */
    public void eventually(String name, Duration within, BooleanSupplier condition) {
        Objects.requireNonNull(condition, "condition is null: give what is to come true");
        long deadline = run.time.nanos() + nanos("within", within);
        run.checks.eventually(checkName(name), within, deadline, condition);
    }

    /** Wants nothing to be left when all is quiet at the end: no process, name, timer or command in flight. */
    public void expectEmpty() {
        emptyExpected = true;
    }

    boolean isEmptyExpected() {
        return emptyExpected;
    }

    /** Writes a note into the trace. */
    public void note(String text) {
        run.recording.add(TraceEvent.Kind.NOTE, null, Objects.requireNonNull(text, "text is null: say something"));
    }

    // Faults of your choice.

    /** Crashes a process in its next step: the step throws a {@link SimulatedCrash}. */
    public void crash(Pid pid) {
        run.directing.crash(Objects.requireNonNull(pid, "pid is null: give the Pid of the process"));
    }

    /** Loses a host of the first node: all its processes end at once. */
    public void loseHost(String host) {
        run.loseHost(first(), host);
    }

    /** Starts a host of the first node that was lost. */
    public void startHost(String host) {
        run.startHost(first(), host);
    }

    /** Stops the first node in order, and starts it again after a while, with what was given to {@link #boot}. */
    public void restart(Duration downtime) {
        restart(first().name(), downtime);
    }

    /** Stops a node in order, and starts it again after a while, with what was given to {@link #boot}. */
    public void restart(String node, Duration downtime) {
        run.restart(run.node(node), nanos("downtime", downtime), Duration.ofSeconds(10));
    }

    /** Cuts the connection between two nodes: messages are lost in both directions until it {@linkplain #heal heals}. */
    public void partition(String a, String b) {
        run.recording.add(TraceEvent.Kind.FAULT, null, "partition of", a, "and", b);
        network.partition(run.node(a).name(), run.node(b).name());
    }

    /** Lets messages between two nodes through again. */
    public void heal(String a, String b) {
        run.recording.add(TraceEvent.Kind.NOTE, null, a, "and", b, "are connected again");
        network.heal(run.node(a).name(), run.node(b).name());
    }

    private static String checkName(String name) {
        return Objects.requireNonNull(name, "name is null: say what is checked, for the report");
    }

    private static long nanos(String name, Duration duration) {
        Objects.requireNonNull(duration, () -> name + " is null: say how long");
        if (duration.isNegative()) {
            throw new IllegalArgumentException(
                    name + " was " + duration + ", must not be negative: time does not go back in a simulation either");
        }
        return duration.toNanos();
    }
}
