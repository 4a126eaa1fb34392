// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import dev.treadle.command.Ask;
import java.util.Objects;

/**
 * Commands with which a process changes the children of a supervisor. From outside of processes use {@link SupervisorRef}.
 *
 * <pre>{@code
 * out.yield(SupervisorCommands.start(sessions, ChildSpec.of(user, Spawn.of(Session::new))), 1, Duration.ofSeconds(5));
 * }</pre>
 *
 * <p>Each completes with the supervisor's reply, or with an error that says what is wrong.
 */
public final class SupervisorCommands {
    private SupervisorCommands() {}

    /** Adds a child and starts it. Completes with its {@link Pid}; if it does not start, it is not kept. */
    public static Ask start(Pid supervisor, ChildSpec spec) {
        Objects.requireNonNull(spec, "spec is null: use ChildSpec.of(...)");
        return ask(supervisor, new SupervisorRequest.Start(spec));
    }

    /** Stops a child, and keeps it so that it can be started again; a temporary one is forgotten. Completes with null. */
    public static Ask stop(Pid supervisor, String id) {
        return ask(supervisor, new SupervisorRequest.Stop(ChildSpec.checkId(id), false));
    }

    /** Stops a child, and forgets it. Completes with null. */
    public static Ask remove(Pid supervisor, String id) {
        return ask(supervisor, new SupervisorRequest.Stop(ChildSpec.checkId(id), true));
    }

    /** Stops a child if it runs, and starts it. Completes with its new {@link Pid}. Does not count as a restart. */
    public static Ask restart(Pid supervisor, String id) {
        return ask(supervisor, new SupervisorRequest.StartAgain(ChildSpec.checkId(id)));
    }

    /** Completes with a list of {@link SupervisionTree.Entry}, one for each child, in order. */
    public static Ask children(Pid supervisor) {
        return ask(supervisor, new SupervisorRequest.Children());
    }

    private static Ask ask(Pid supervisor, SupervisorRequest request) {
        return new Ask(supervisor, SupervisorRequest.TOPIC, request);
    }
}
