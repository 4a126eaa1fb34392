// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import dev.treadle.Command;
import dev.treadle.Director;
import dev.treadle.Pid;
import dev.treadle.command.Ask;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Who waits for what: the commands in flight of each process. */
final class Waits {
    private final Map<Pid, List<Wait>> byProcess = new LinkedHashMap<>();

    /** A command in flight. */
    record Wait(Command command, long tag, boolean hasTimeout) {
        @Override
        public String toString() {
            String what = command instanceof Ask ask
                    ? "a reply from " + ask.target() + " to \"" + ask.topic() + "\""
                    : "an answer to " + Render.value(command);
            return what + " (tag " + tag + ")";
        }
    }

    void began(Pid process, Command command, long tag, long timeoutNanos) {
        byProcess
                .computeIfAbsent(process, pid -> new ArrayList<>())
                .add(new Wait(command, tag, timeoutNanos != Director.NO_TIMEOUT));
    }

    /** A process gets a completion. */
    void ended(Pid process, long tag) {
        List<Wait> waits = byProcess.get(process);
        if (waits != null) {
            for (int i = 0; i < waits.size(); i++) {
                if (waits.get(i).tag == tag) {
                    waits.remove(i);
                    break;
                }
            }
            if (waits.isEmpty()) {
                byProcess.remove(process);
            }
        }
    }

    /** A process has ended, and with it its commands. */
    void ended(Pid process) {
        byProcess.remove(process);
    }

    /** All processes that wait for something, in the order in which they began. */
    Set<Pid> processes() {
        return byProcess.keySet();
    }

    List<Wait> of(Pid process) {
        return byProcess.getOrDefault(process, List.of());
    }

    /**
     * Finds processes that wait for each other and will for ever.
     *
     * @param isBlocked whether a process awaits completions, and messages do not wake it
     * @return a cycle, in which each waits for the next and the last for the first; empty if there is none
     */
    List<Pid> cycle(Predicate<Pid> isBlocked) {
        // Whoever is blocked, and waits for nothing but replies of others that are in the set, for as long as they
        // take.
        var stuck = new LinkedHashSet<Pid>();
        byProcess.forEach((pid, waits) -> {
            if (isBlocked.test(pid)) {
                stuck.add(pid);
            }
        });
        while (stuck.removeIf(pid -> !of(pid).stream().allMatch(wait -> isWithin(stuck, wait)))) {
            // until nobody has to be taken out
        }
        if (stuck.isEmpty()) {
            return List.of();
        }
        var path = new ArrayList<Pid>();
        Pid at = stuck.iterator().next();
        while (!path.contains(at)) {
            path.add(at);
            at = ((Ask) of(at).get(0).command).target();
        }
        return path.subList(path.indexOf(at), path.size());
    }

    private static boolean isWithin(Set<Pid> stuck, Wait wait) {
        return !wait.hasTimeout && wait.command instanceof Ask ask && stuck.contains(ask.target());
    }

    /** Says who waits for what, one line for each. */
    String describe(Iterable<Pid> processes) {
        var lines = new StringJoiner("\n");
        for (Pid pid : processes) {
            for (Wait wait : of(pid)) {
                lines.add("  " + pid + " waits for " + wait);
            }
        }
        return lines.toString();
    }

    /** Whether a process waits for something without a timeout. */
    @Nullable
    Wait endless(Pid process) {
        return of(process).stream().filter(wait -> !wait.hasTimeout).findFirst().orElse(null);
    }
}
