// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import dev.treadle.Process;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * What goes wrong in a simulation by itself, and how often. Immutable: each method returns a changed copy. For a fault at a
 * moment of your choice, see {@link World}.
 *
 * <pre>{@code
 * Faults.none().crash(0.001).delayAnswers(0.1, Duration.ofSeconds(2)).failCommands(0.01)
 * }</pre>
 *
 * <p>A rate is a probability, from 0 to 1, for each time that the thing could go wrong. The most faults of a run are
 * {@link #atMost} many, by default ten: a system that is given no peace cannot show that it recovers.
 */
public final class Faults {
    private static final int MOST_DEFAULT = 10;
    private static final Faults NONE = new Faults(new Settings());

    private final Settings settings;

    private Faults(Settings settings) {
        this.settings = settings;
    }

    /** Nothing goes wrong. */
    public static Faults none() {
        return NONE;
    }

    /**
     * Crashes processes: a step throws a {@link SimulatedCrash} before it runs, or after it ran and before its commands are
     * dispatched.
     *
     * @param rate for each step
     * @param types which processes, by their class; all if none is given
     */
    @SafeVarargs
    public final Faults crash(double rate, Class<? extends Process>... types) {
        double checked = checkRate("crash", rate);
        var names = new ArrayList<String>();
        for (Class<?> type : types) {
            names.add(type.getTypeName());
        }
        return with(s -> {
            s.crashRate = checked;
            s.crashTypes = List.copyOf(names);
            return s;
        });
    }

    /**
     * Lets answers to commands come late: behind others, or after a while.
     *
     * @param rate for each command whose handler is not the scheduler's own
     * @param most the longest delay
     */
    public Faults delayAnswers(double rate, Duration most) {
        double checked = checkRate("delayAnswers", rate);
        long nanos = checkDuration("most", most);
        return with(s -> {
            s.delayRate = checked;
            s.delayNanosMax = nanos;
            return s;
        });
    }

    /**
     * Fails commands with a {@link SimulatedFault}: their handlers are not called.
     *
     * @param rate for each command whose handler is not the scheduler's own
     */
    public Faults failCommands(double rate) {
        double checked = checkRate("failCommands", rate);
        return with(s -> {
            s.failRate = checked;
            return s;
        });
    }

    /**
     * Loses commands that have a timeout: their handlers are not called, and they time out.
     *
     * @param rate for each command with a timeout whose handler is not the scheduler's own
     */
    public Faults timeOutCommands(double rate) {
        double checked = checkRate("timeOutCommands", rate);
        return with(s -> {
            s.timeoutRate = checked;
            return s;
        });
    }

    /**
     * Answers commands twice. A process gets one completion all the same, since a second answer is dropped; it is handlers
     * and the runtime that are tried by this.
     *
     * @param rate for each command whose handler is not the scheduler's own
     */
    public Faults duplicateAnswers(double rate) {
        double checked = checkRate("duplicateAnswers", rate);
        return with(s -> {
            s.duplicateRate = checked;
            return s;
        });
    }

    /**
     * Refuses messages as if the mailbox of the receiver were full.
     *
     * @param rate for each message
     */
    public Faults fillMailboxes(double rate) {
        double checked = checkRate("fillMailboxes", rate);
        return with(s -> {
            s.fullRate = checked;
            return s;
        });
    }

    /**
     * Holds processes up that are about to run, as if the worker that took them did not get a processor.
     *
     * @param rate for each turn of a process
     * @param most how long at the most
     */
    public Faults stall(double rate, Duration most) {
        double checked = checkRate("stall", rate);
        long nanos = checkDuration("most", most);
        return with(s -> {
            s.stallRate = checked;
            s.stallNanosMax = nanos;
            return s;
        });
    }

    /**
     * Loses hosts: all processes of one end at once, and it is started again, empty, after a while.
     *
     * @param rate for each time that the clock moves
     * @param downtime how long it is gone
     */
    public Faults loseHosts(double rate, Duration downtime) {
        double checked = checkRate("loseHosts", rate);
        long nanos = checkDuration("downtime", downtime);
        return with(s -> {
            s.hostLossRate = checked;
            s.hostDowntimeNanos = nanos;
            return s;
        });
    }

    /**
     * Stops nodes and starts them again after a while, as {@link World#restart} does.
     *
     * @param rate for each time that the clock moves
     * @param downtime how long it is gone
     */
    public Faults restartNodes(double rate, Duration downtime) {
        double checked = checkRate("restartNodes", rate);
        long nanos = checkDuration("downtime", downtime);
        return with(s -> {
            s.restartRate = checked;
            s.restartDowntimeNanos = nanos;
            return s;
        });
    }

    /**
     * Loses messages between nodes.
     *
     * @param rate for each message
     */
    public Faults loseMessages(double rate) {
        double checked = checkRate("loseMessages", rate);
        return with(s -> {
            s.lossRate = checked;
            return s;
        });
    }

    /** Sets how many faults there are in a run at the most; by default ten. */
    public Faults atMost(int faults) {
        if (faults < 0) {
            throw new IllegalArgumentException(
                    "atMost was " + faults + ", must not be negative: use 0 or Faults.none() for none");
        }
        return with(s -> {
            s.most = faults;
            return s;
        });
    }

    Settings settings() {
        return settings;
    }

    private Faults with(UnaryOperator<Settings> change) {
        return new Faults(change.apply(new Settings(settings)));
    }

    static double checkRate(String name, double rate) {
        if (!(rate >= 0 && rate <= 1)) {
            throw new IllegalArgumentException(
                    "rate of " + name + " was " + rate + ", must be 0 to 1: 0.01 is once in a hundred times");
        }
        return rate;
    }

    private static long checkDuration(String name, Duration duration) {
        Objects.requireNonNull(duration, () -> name + " is null: say how long");
        if (duration.isNegative()) {
            throw new IllegalArgumentException(
                    name + " was " + duration + ", must not be negative: use Duration.ZERO for no time");
        }
        return duration.toNanos();
    }

    /** The numbers. Not changed once they are in a Faults. */
    static final class Settings {
        double crashRate;
        List<String> crashTypes = List.of();
        double delayRate;
        long delayNanosMax;
        double failRate;
        double timeoutRate;
        double duplicateRate;
        double fullRate;
        double stallRate;
        long stallNanosMax;
        double hostLossRate;
        long hostDowntimeNanos;
        double restartRate;
        long restartDowntimeNanos;
        double lossRate;
        int most = MOST_DEFAULT;

        Settings() {}

        Settings(Settings from) {
            crashRate = from.crashRate;
            crashTypes = from.crashTypes;
            delayRate = from.delayRate;
            delayNanosMax = from.delayNanosMax;
            failRate = from.failRate;
            timeoutRate = from.timeoutRate;
            duplicateRate = from.duplicateRate;
            fullRate = from.fullRate;
            stallRate = from.stallRate;
            stallNanosMax = from.stallNanosMax;
            hostLossRate = from.hostLossRate;
            hostDowntimeNanos = from.hostDowntimeNanos;
            restartRate = from.restartRate;
            restartDowntimeNanos = from.restartDowntimeNanos;
            lossRate = from.lossRate;
            most = from.most;
        }

        boolean crashes(String type) {
            return crashTypes.isEmpty() || crashTypes.contains(type);
        }
    }
}
