// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import dev.treadle.ProcessRef;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A supervisor as seen from outside: start, stop, restart and list its children. A process uses {@link SupervisorCommands}.
 *
 * <pre>{@code
 * SupervisorRef sessions = SupervisorRef.named(node, "sessions");
 * Pid pid = sessions.start(ChildSpec.of("ada", Spawn.of(Session::new))).join();
 * }</pre>
 *
 * <p>The futures fail with what the supervisor says is wrong, with an {@link dev.treadle.AskFailedException} if it does not
 * reply in time, or with a {@link NoSuchProcessException} if there is no such supervisor. Immutable.
 */
public final class SupervisorRef {
    /** How long a reply may take, if nothing is set. */
    public static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(30);

    private final Node node;
    private final Supplier<Optional<Pid>> address;
    private final String shown;
    private final Duration timeout;

    private SupervisorRef(Node node, Supplier<Optional<Pid>> address, String shown, Duration timeout) {
        this.node = Objects.requireNonNull(node, "node is null: give the node of the supervisor");
        this.address = address;
        this.shown = shown;
        this.timeout = timeout;
    }

    /** Returns a reference to one life of a supervisor. */
    public static SupervisorRef of(Node node, Pid pid) {
        Objects.requireNonNull(pid, "pid is null: give the Pid of the supervisor");
        return new SupervisorRef(node, () -> Optional.of(pid), pid.toString(), TIMEOUT_DEFAULT);
    }

    /** Returns a reference to whichever supervisor has a name, also after it was started again. */
    public static SupervisorRef named(Node node, String name) {
        Objects.requireNonNull(name, "name is null: give the name of the supervisor");
        return new SupervisorRef(node, () -> node.names().find(name), "named \"" + name + "\"", TIMEOUT_DEFAULT);
    }

    /** Sets how long a reply may take. Stopping a child takes as long as the child does. */
    public SupervisorRef timeout(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout is null: leave it unset");
        return new SupervisorRef(node, address, shown, timeout);
    }

    /** Adds a child and starts it. If it does not start, the future fails with the reason, and it is not kept. */
    public CompletableFuture<Pid> start(ChildSpec spec) {
        Objects.requireNonNull(spec, "spec is null: use ChildSpec.of(...)");
        return ask(new SupervisorRequest.Start(spec)).thenApply(Pid.class::cast);
    }

    /** Stops a child, and keeps it so that it can be started again; a temporary one is forgotten. */
    public CompletableFuture<@Nullable Void> stop(String id) {
        return ask(new SupervisorRequest.Stop(ChildSpec.checkId(id), false)).thenApply(reply -> null);
    }

    /** Stops a child, and forgets it. */
    public CompletableFuture<@Nullable Void> remove(String id) {
        return ask(new SupervisorRequest.Stop(ChildSpec.checkId(id), true)).thenApply(reply -> null);
    }

    /** Stops a child if it runs, and starts it. Does not count as a restart. */
    public CompletableFuture<Pid> restart(String id) {
        return ask(new SupervisorRequest.StartAgain(ChildSpec.checkId(id))).thenApply(Pid.class::cast);
    }

    /** Returns the children, in order. */
    @SuppressWarnings("unchecked") // the supervisor's reply to this request
    public CompletableFuture<List<SupervisionTree.Entry>> children() {
        return ask(new SupervisorRequest.Children()).thenApply(reply -> (List<SupervisionTree.Entry>) reply);
    }

    private CompletableFuture<@Nullable Object> ask(SupervisorRequest request) {
        Optional<Pid> pid = address.get();
        Optional<ProcessRef> ref = pid.flatMap(node::find);
        if (ref.isEmpty()) {
            return CompletableFuture.failedFuture(
                    new NoSuchProcessException("there is no supervisor " + shown + " on node \"" + node.name() + "\""));
        }
        return ref.get().ask(SupervisorRequest.TOPIC, request, timeout);
    }

    @Override
    public String toString() {
        return "SupervisorRef[" + shown + "]";
    }
}
