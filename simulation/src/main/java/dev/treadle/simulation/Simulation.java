// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import dev.treadle.Command;
import dev.treadle.Director;
import dev.treadle.node.Node;
import dev.treadle.node.NodeBuilder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a whole node on the calling thread, from one seed: which process runs next, how many events it gets, when a handler
 * answers, which timer fires first and what goes wrong are decided by the seed, and time is virtual. The same seed gives the
 * same run.
 *
 * <pre>{@code
 * Simulation.seed(42)
 *         .faults(Faults.none().crash(0.01))
 *         .simulate(HttpExchange.class, (command, world) -> Answer.of(page).after(Duration.ofMillis(20)))
 *         .run(node -> Shop.start(node));
 * }</pre>
 *
 * <p>A run ends when nothing can happen any more, or after {@link #limit} of virtual time; then the node is shut down. It fails
 * with a {@link SimulationFailure} if a check does not hold, if processes wait for ever, if time stands still while much
 * happens, if something is left at the end, if a process throws an {@link AssertionError}, or if something leaves the simulation. A
 * simulation is run once.
 */
public final class Simulation {
    private static final Duration LIMIT_DEFAULT = Duration.ofHours(1);
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(10);

    private final Run.Settings settings = new Run.Settings();
    private final Map<String, NodeSettings> nodes = new LinkedHashMap<>();
    private Choices choices;
    private final boolean exploring;
    private Faults faults = Faults.none();
    private Duration limit = LIMIT_DEFAULT;
    private Duration networkDelay = Duration.ofMillis(100);
    private boolean mayWait;
    private @Nullable Run run;

    Simulation(Choices choices, boolean exploring) {
        this.choices = choices;
        this.exploring = exploring;
    }

    /** Returns a simulation that is decided by a seed. */
    public static Simulation seed(long seed) {
        return new Simulation(Choices.of(seed, Exploration.mixed()), false);
    }

    /**
     * Returns a simulation that runs again what a report printed.
     *
     * @param line the line from the report
     * @throws IllegalArgumentException if it is not such a line
     */
    public static Simulation replay(String line) {
        return new Simulation(
                Choices.parse(Objects.requireNonNull(line, "line is null: copy it from the report")), false);
    }

    /**
     * Runs a test with seeds 0, 1, 2 and so on, several at once, and shrinks the first that fails. With JUnit, use {@link
     * SimulationTest}.
     *
     * @param seeds how many
     * @param trial sets the simulation up and runs it
     * @throws SimulationFailure if one fails
     */
    public static void explore(int seeds, Trial trial) {
        explore(0, seeds, trial);
    }

    /**
     * Runs a test with so many seeds from the first on, several at once, and shrinks the first that fails.
     *
     * @param first the first seed
     * @param seeds how many
     * @param trial sets the simulation up and runs it
     * @throws SimulationFailure if one fails
     */
    public static void explore(long first, int seeds, Trial trial) {
        Objects.requireNonNull(trial, "trial is null: give what runs a simulation");
        int threads = Runtime.getRuntime().availableProcessors();
        SimulationFailure failure = new Explorer(trial, Exploration.mixed()).explore(first, seeds, threads);
        if (failure != null) {
            throw failure;
        }
    }

    // Settings.

    /** Sets the node up: hosts, handlers, definitions, services. Clock, seed and workers are the simulation's to set. */
    public Simulation node(Consumer<NodeBuilder> settings) {
        return node("node", settings);
    }

    /** Adds a node. Several nodes send to each other's hosts, whose names must differ, as if they were their own. */
    public Simulation node(String name, Consumer<NodeBuilder> settings) {
        return node(name, Duration.ZERO, settings);
    }

    /**
     * Adds a node whose time of day is off.
     *
     * @param skew how far it is ahead of the others; negative for behind
     */
    public Simulation node(String name, Duration skew, Consumer<NodeBuilder> settings) {
        Objects.requireNonNull(name, "name is null: name the node");
        Objects.requireNonNull(skew, "skew is null: leave it out");
        Objects.requireNonNull(settings, "settings is null: use builder -> {} for the defaults");
        if (nodes.putIfAbsent(name, new NodeSettings(settings, skew)) != null) {
            throw new IllegalArgumentException("node \"" + name + "\" was added twice, must be added once: rename one");
        }
        return this;
    }

    /** Sets who does the work of a command, in place of its handler. */
    public <C extends Command> Simulation simulate(Class<C> command, StandIn<? super C> standIn) {
        Objects.requireNonNull(command, "command is null: give the class of the command");
        settings.standIns.put(command, Objects.requireNonNull(standIn, "standIn is null: say what it answers"));
        return this;
    }

    /** Sets what goes wrong; by default nothing. */
    public Simulation faults(Faults faults) {
        this.faults = Objects.requireNonNull(faults, "faults is null: use Faults.none()");
        return this;
    }

    /** Sets how to wander from the plain order of things; without effect on a replay and in a {@link SimulationTest}. */
    public Simulation exploration(Exploration exploration) {
        Objects.requireNonNull(exploration, "exploration is null: leave it unset");
        if (!exploring && !choices.isReplay()) {
            choices = Choices.of(choices.seed(), exploration);
        }
        return this;
    }

    /** Sets how much virtual time a run may take; by default one hour. */
    public Simulation limit(Duration limit) {
        this.limit = Objects.requireNonNull(limit, "limit is null: leave it unset to use one hour");
        return this;
    }

    /** Sets how many turns there may be without the clock moving; by default 100,000. */
    public Simulation stepsWithoutTime(long most) {
        if (most < 1) {
            throw new IllegalArgumentException(
                    "stepsWithoutTime was " + most + ", must be positive: leave it unset to use 100,000");
        }
        settings.stepsWithoutTimeMax = most;
        return this;
    }

    /** Sets how many events of a run are kept, the last ones; by default 100,000. */
    public Simulation traceCapacity(int events) {
        if (events < 1) {
            throw new IllegalArgumentException(
                    "traceCapacity was " + events + ", must be positive: leave it unset to use 100,000");
        }
        settings.traceCapacity = events;
        return this;
    }

    /** Sets how long a message between nodes may take at the most; by default 100 ms. */
    public Simulation networkDelay(Duration most) {
        networkDelay = Objects.requireNonNull(most, "most is null: leave it unset to use 100 ms");
        return this;
    }

    /** Lets processes wait for an answer when nothing can happen any more. A deadlock fails the run all the same. */
    public Simulation mayWaitForEver() {
        mayWait = true;
        return this;
    }

    // Running.

    /**
     * Runs the node: starts it, does something with it each time it has started, and goes on until nothing can happen any
     * more.
     *
     * @throws SimulationFailure if the run fails
     */
    public Outcome run(Consumer<Node> boot) {
        Objects.requireNonNull(boot, "boot is null: give what starts your processes");
        return play(world -> world.boot(boot));
    }

    /**
     * Plays a scenario, and goes on until nothing can happen any more.
     *
     * @throws SimulationFailure if the run fails
     */
    public Outcome play(Scenario scenario) {
        Objects.requireNonNull(scenario, "scenario is null: say what happens");
        if (run != null) {
            throw new IllegalStateException(
                    "this simulation was run already, and its decisions are used up: make another");
        }
        Run run = new Run(choices, faults.settings(), settings);
        this.run = run;
        Director.ofThisThread(run.directing);
        try {
            play(run, scenario);
        } catch (RunFailed failed) {
            throw failure(failed.failure());
        } catch (SimulationFailure failed) {
            throw failed;
        } catch (Throwable thrown) {
            RunFailed failed = failedWithin(thrown);
            throw failure(failed != null ? failed.failure() : thrown(thrown));
        } finally {
            Director.ofThisThread(null);
        }
        return new Outcome(
                choices.seed(),
                choices.replayLine(),
                run.turns(),
                Duration.ofNanos(run.time.nanos()),
                run.recording.trace());
    }

    private void play(Run run, Scenario scenario) throws Exception {
        if (nodes.isEmpty()) {
            nodes.put("node", new NodeSettings(builder -> {}, Duration.ZERO));
        }
        var network = new Network(run);
        network.delayMax(networkDelay);
        var world = new World(run, network);
        run.directing.world(world);
        nodes.forEach((name, node) -> {
            var made = new SimulatedNode(name, run, node.settings(), node.skew());
            made.onMade(network::connect);
            run.nodes.put(name, made);
            made.start();
        });
        scenario.play(world);
        boolean isOver = finish(run);
        failIf(run, run.checks.late(run.time.nanos(), isOver));
        failIf(run, mayWait ? deadlockOf(run) : run.stuck(isOver));
        if (world.isEmptyExpected()) {
            failIf(run, Leaks.beforeShutdown(run));
        }
        run.settle();
        run.nodes.values().forEach(node -> node.stop(SHUTDOWN_TIMEOUT));
        run.throwIfFailed();
        failIf(run, Leaks.afterShutdown(run));
    }

    /** Goes on until nothing can happen any more, and returns true; false if the time is up before. */
    private boolean finish(Run run) {
        long until = run.time.nanos() + limit.toNanos();
        while (run.time.nanos() < until) {
            if (!run.turn(until)) {
                return run.time.nanos() < until || !run.hasMore();
            }
        }
        return false;
    }

    private static @Nullable Failure deadlockOf(Run run) {
        return run.stuck(false);
    }

    private static void failIf(Run run, @Nullable Failure failure) {
        if (failure != null) {
            run.fail(failure);
            run.throwIfFailed();
        }
    }

    /** A failed turn inside of something that wraps what is thrown, such as a future. */
    private static @Nullable RunFailed failedWithin(Throwable thrown) {
        Throwable at = thrown;
        for (int depth = 0; at != null && depth < 16; depth++) {
            if (at instanceof RunFailed failed) {
                return failed;
            }
            at = at.getCause();
        }
        return null;
    }

    private static Failure thrown(Throwable thrown) {
        return new Failure(
                Failure.Kind.THROWN, thrown.getClass().getTypeName(), Render.error(thrown), List.of(), thrown);
    }

    private SimulationFailure failure(Failure failure) {
        return new SimulationFailure(failure, trace(), choices.replayLine(), "seed " + choices.seed());
    }

    // For those who explore.

    Choices choices() {
        return choices;
    }

    Trace trace() {
        return run == null ? new Trace(List.of(), 0) : run.recording.trace();
    }

    /** Returns what a failed test means: what the run says, or what the test threw after it. */
    SimulationFailure failureOf(Throwable thrown) {
        return thrown instanceof SimulationFailure failed ? failed : failure(thrown(thrown));
    }

    private record NodeSettings(Consumer<NodeBuilder> settings, Duration skew) {}
}
