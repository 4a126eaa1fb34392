// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;

/** Makes the decisions of a run, each a number of which 0 is the plain one, and remembers those that were not. */
final class Choices {
    /*
     * Decisions are counted by kind, so that one that is left out does not shift those of other kinds. A run is told again
     * by its seed, which processes' own random numbers come from, and by the decisions that were not plain; all others are.
     *
     * The generator is SplitMix64, written out: a run must be the same on every Java.
     */

    /** What is decided. The letter stands for it in a replay line. */
    enum Kind {
        /** What happens next: which process runs, timer fires or answer arrives. */
        NEXT('n'),
        /** How many events a step gets. */
        BATCH('b'),
        /** Whether a step crashes, and when. */
        CRASH('c'),
        /** What goes wrong with a command. */
        COMMAND('w'),
        /** When an answer comes. */
        DELAY('d'),
        /** Whether a mailbox is full. */
        FULL('f'),
        /** Whether a process is held up. */
        STALL('s'),
        /** Whether a host is lost, or the node restarts. */
        LOSS('l'),
        /** What becomes of a message between nodes. */
        NETWORK('m'),
        /** What stand-ins and scenarios ask for. */
        USER('u');

        final char letter;

        Kind(char letter) {
            this.letter = letter;
        }

        static Kind of(char letter) {
            for (Kind kind : values()) {
                if (kind.letter == letter) {
                    return kind;
                }
            }
            throw new IllegalArgumentException(
                    "'" + letter + "' stands for no kind of decision: copy the replay line whole");
        }
    }

    /**
     * A decision that was not plain.
     *
     * @param kind what was decided
     * @param index how many of that kind were decided before it
     * @param value what was decided
     */
    record Choice(Kind kind, int index, int value) {
        @Override
        public String toString() {
            return kind.letter + Integer.toString(index) + "." + value;
        }
    }

    private final long seed;
    private final Exploration exploration;
    private final Map<Kind, Map<Integer, Integer>> replayed;
    private final Map<Kind, int[]> counts = new EnumMap<>(Kind.class);
    private final List<Choice> made = new ArrayList<>();
    private long state;
    private int preemptionsLeft;
    private long plainLeft;

    private Choices(long seed, Exploration exploration, Map<Kind, Map<Integer, Integer>> replayed) {
        this.seed = seed;
        this.exploration = exploration;
        this.replayed = replayed;
        this.state = seed;
        next(); // seeds that follow each other would begin alike
        preemptionsLeft = exploration.preemptions(seed);
        plainLeft = gap();
    }

    /** Draws all decisions from a seed. */
    static Choices of(long seed, Exploration exploration) {
        return new Choices(seed, exploration, Map.of());
    }

    /** Makes these decisions, and plain ones besides. */
    static Choices replaying(long seed, List<Choice> choices) {
        var replayed = new EnumMap<Kind, Map<Integer, Integer>>(Kind.class);
        for (Kind kind : Kind.values()) {
            replayed.put(kind, new HashMap<>());
        }
        for (Choice choice : choices) {
            Objects.requireNonNull(replayed.get(choice.kind())).put(choice.index(), choice.value());
        }
        return new Choices(seed, Exploration.random(), replayed);
    }

    /**
     * Reads a replay line: the seed, a slash, and the decisions; or a seed alone.
     *
     * @throws IllegalArgumentException if it is not one
     */
    static Choices parse(String line) {
        String[] parts = line.trim().split("/", 2);
        try {
            long seed = Long.parseLong(parts[0]);
            if (parts.length == 1) {
                return of(seed, Exploration.mixed());
            }
            var choices = new ArrayList<Choice>();
            for (String text : parts[1].split(",", -1)) {
                if (!text.isEmpty()) {
                    int dot = text.indexOf('.');
                    int index = Integer.parseInt(text.substring(1, dot));
                    choices.add(new Choice(Kind.of(text.charAt(0)), index, Integer.parseInt(text.substring(dot + 1))));
                }
            }
            return replaying(seed, choices);
        } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
            throw new IllegalArgumentException(
                    "\"" + line
                            + "\" is no replay line, such as \"42\" or \"42/n3.1,c7.1\": copy it whole from the report",
                    e);
        }
    }

    boolean isReplay() {
        return !replayed.isEmpty();
    }

    long seed() {
        return seed;
    }

    /** The decisions that were not plain, in the order in which they were made. */
    List<Choice> made() {
        return List.copyOf(made);
    }

    /** The line that runs this again. */
    String replayLine() {
        return replayLine(seed, made);
    }

    static String replayLine(long seed, List<Choice> choices) {
        var line = new StringJoiner(",", seed + "/", "");
        choices.forEach(choice -> line.add(choice.toString()));
        return line.toString();
    }

    /** Decides on a number from 0 to below the bound, all alike. */
    int choose(Kind kind, int bound) {
        int index = count(kind);
        if (bound <= 1) {
            return 0;
        }
        int value;
        if (!replayed.isEmpty()) {
            value = Math.min(
                    bound - 1, Objects.requireNonNull(replayed.get(kind)).getOrDefault(index, 0));
        } else if (kind == Kind.USER || exploration.isRandom(seed)) {
            value = below(bound);
        } else {
            value = isPreempted() ? 1 + below(bound - 1) : 0;
        }
        return keep(kind, index, value);
    }

    /** Decides whether something happens that rarely does: 0 for no, else 1 to below the bound. */
    int rarely(Kind kind, double rate, int bound) {
        int index = count(kind);
        int value;
        if (!replayed.isEmpty()) {
            value = Math.min(
                    bound - 1, Objects.requireNonNull(replayed.get(kind)).getOrDefault(index, 0));
        } else {
            value = fraction() < rate ? 1 + below(bound - 1) : 0;
        }
        return keep(kind, index, value);
    }

    /** Returns how many of a kind were decided before this one. */
    private int count(Kind kind) {
        return counts.computeIfAbsent(kind, first -> new int[1])[0]++;
    }

    private int keep(Kind kind, int index, int value) {
        if (value != 0) {
            made.add(new Choice(kind, index, value));
        }
        return value;
    }

    private boolean isPreempted() {
        if (preemptionsLeft == 0 || plainLeft-- > 0) {
            return false;
        }
        preemptionsLeft--;
        plainLeft = gap();
        return true;
    }

    /** How many plain decisions come before the next preemption: few or many, each order of magnitude alike. */
    private long gap() {
        return below(1 << (1 + below(10)));
    }

    private long next() {
        state += 0x9E3779B97F4A7C15L;
        long mixed = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    private int below(int bound) {
        return (int) (((next() >>> 32) * bound) >>> 32);
    }

    private double fraction() {
        return (next() >>> 11) * 0x1.0p-53;
    }
}
