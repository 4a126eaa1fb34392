// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import java.util.List;
import java.util.stream.Collectors;

/** A simulation that failed: which seed, why, the last events of the processes involved, and the line that runs it again. */
public final class SimulationFailure extends AssertionError {
    private static final long serialVersionUID = 1L;
    private static final int EVENTS_SHOWN = 30;

    private final transient Failure failure;
    private final transient Trace trace;
    private final String replayLine;

    SimulationFailure(Failure failure, Trace trace, String replayLine, String headline) {
        super(message(failure, trace, replayLine, headline), failure.cause());
        this.failure = failure;
        this.trace = trace;
        this.replayLine = replayLine;
    }

    /** Returns what happened. */
    public Trace trace() {
        return trace;
    }

    /** Returns the line that runs it again: see {@link Simulation#replay}. */
    public String replayLine() {
        return replayLine;
    }

    Failure failure() {
        return failure;
    }

    private static String message(Failure failure, Trace trace, String replayLine, String headline) {
        List<TraceEvent> about = trace.events().stream()
                .filter(event -> failure.involved().isEmpty()
                        || event.pid() == null
                        || failure.involved().contains(event.pid()))
                .toList();
        List<TraceEvent> last = about.subList(Math.max(0, about.size() - EVENTS_SHOWN), about.size());
        String whose = failure.involved().isEmpty() ? "" : " of the processes involved";
        return headline + ": " + failure.message() + "\n"
                + (last.size() == about.size() ? "Events" : "Last " + last.size() + " of " + about.size() + " events")
                + whose + ":\n"
                + last.stream().map(event -> "  " + event.text()).collect(Collectors.joining("\n"))
                + "\nTo run this again: Simulation.replay(\"" + replayLine + "\"), or @SimulationTest(replay = \""
                + replayLine
                + "\")";
    }
}
