// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.Submission;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A process to start on a node, with everything that can be said about it. Immutable: each method returns a changed copy.
 *
 * <pre>{@code
 * node.spawn(Spawn.of(Session::new).on("users").method("main", user).name("session-" + user).linkedTo(lobby));
 * }</pre>
 */
public final class Spawn {
    /** The entry point that is used if none is given. */
    public static final String METHOD_DEFAULT = "main";

    private final @Nullable Supplier<? extends Process> process;
    private final @Nullable String definition;
    private final @Nullable String host;
    private final String method;
    private final Payloads input;
    private final @Nullable String name;
    private final @Nullable Pid linkedTo;
    private final @Nullable Pid monitoredBy;
    private final UnaryOperator<Submission> options;

    private Spawn(
            @Nullable Supplier<? extends Process> process,
            @Nullable String definition,
            @Nullable String host,
            String method,
            Payloads input,
            @Nullable String name,
            @Nullable Pid linkedTo,
            @Nullable Pid monitoredBy,
            UnaryOperator<Submission> options) {
        this.process = process;
        this.definition = definition;
        this.host = host;
        this.method = method;
        this.input = input;
        this.name = name;
        this.linkedTo = linkedTo;
        this.monitoredBy = monitoredBy;
        this.options = options;
    }

    private static Spawn first(@Nullable Supplier<? extends Process> process, @Nullable String definition) {
        return new Spawn(
                process,
                definition,
                null,
                METHOD_DEFAULT,
                Payloads.empty(),
                null,
                null,
                null,
                UnaryOperator.identity());
    }

    /** Starts what a supplier makes. */
    public static Spawn of(Supplier<? extends Process> process) {
        return first(Objects.requireNonNull(process, "process is null: give what makes it"), null);
    }

    /**
     * Starts an instance of a class, which must have a constructor without parameters.
     *
     * @throws IllegalArgumentException if it has none
     */
    public static Spawn of(Class<? extends Process> type) {
        return of(Definitions.instancesOf(type));
    }

    /** Starts what is defined by a name on the node, such as "orders:book". */
    public static Spawn definition(String name) {
        return first(null, Objects.requireNonNull(name, "name is null: give the name of a definition"));
    }

    /** On this host. By default on that of the process that spawns it, or on the node's first. */
    public Spawn on(String host) {
        Objects.requireNonNull(host, "host is null: leave it out");
        return new Spawn(process, definition, host, method, input, name, linkedTo, monitoredBy, options);
    }

    /** With this entry point and these arguments. */
    public Spawn method(String method, @Nullable Object... input) {
        Objects.requireNonNull(method, "method is null: name the entry point, such as \"main\"");
        return new Spawn(process, definition, host, method, Payloads.of(input), name, linkedTo, monitoredBy, options);
    }

    /** With a name. If a process has it already, that one is returned, and none is started. */
    public Spawn name(String name) {
        Objects.requireNonNull(name, "name is null: leave it out");
        return new Spawn(process, definition, host, method, input, name, linkedTo, monitoredBy, options);
    }

    /** Linked to a process, before the first step. */
    public Spawn linkedTo(Pid pid) {
        Objects.requireNonNull(pid, "pid is null: leave it out");
        return new Spawn(process, definition, host, method, input, name, pid, monitoredBy, options);
    }

    /** Watched by a process, before the first step. */
    public Spawn monitoredBy(Pid pid) {
        Objects.requireNonNull(pid, "pid is null: leave it out");
        return new Spawn(process, definition, host, method, input, name, linkedTo, pid, options);
    }

    /** With more options: a mailbox capacity, attributes, messages that are there before the first step. */
    public Spawn with(UnaryOperator<Submission> options) {
        Objects.requireNonNull(options, "options is null: leave it out");
        UnaryOperator<Submission> before = this.options;
        return new Spawn(
                process,
                definition,
                host,
                method,
                input,
                name,
                linkedTo,
                monitoredBy,
                submission -> options.apply(before.apply(submission)));
    }

    /** With a message that is in the mailbox before the first step. */
    public Spawn message(String topic, @Nullable Object payload) {
        return with(submission -> submission.message(topic, payload));
    }

    /** With an attribute. */
    public Spawn attribute(String name, Object value) {
        return with(submission -> submission.attribute(name, value));
    }

    @Nullable
    String host() {
        return host;
    }

    @Nullable
    String name() {
        return name;
    }

    @Nullable
    Pid linkedTo() {
        return linkedTo;
    }

    @Nullable
    Pid monitoredBy() {
        return monitoredBy;
    }

    /** What it says, as values; the process itself is not known before it is made. */
    List<@Nullable Object> described() {
        return Arrays.asList(definition, host, method, input, name, linkedTo, monitoredBy);
    }

    /** What it is started as, or null if it is not by a definition. */
    @Nullable
    Defined defined() {
        return definition == null ? null : new Defined(definition, method, input);
    }

    /** Whether others must know the address before the process starts. */
    boolean needsPid() {
        return name != null || linkedTo != null || monitoredBy != null || definition != null;
    }

    Submission submission(Definitions definitions) {
        Process made = process != null ? process.get() : definitions.make(Objects.requireNonNull(definition));
        return options.apply(Submission.of(made, method, input));
    }
}
