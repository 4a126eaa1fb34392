// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A process to start, with everything that can be said about it. Immutable: each method returns a changed copy.
 *
 * <pre>{@code
 * scheduler.submit(Submission.of(new Session(), "main", user)
 *         .mailboxCapacity(1_000)
 *         .attribute("tenant", "acme"));
 * }</pre>
 */
public final class Submission {
    /** Ids below this one are the scheduler's own to give; {@link #id} takes this and above. */
    public static final long CHOSEN_ID_MIN = 1L << 56;

    private static final int DEFAULT_CAPACITY = -1;
    private static final long NO_ID = 0;

    private final Process process;
    private final String method;
    private final Payloads input;
    private final Map<String, Object> attributes;
    private final int mailboxCapacity;
    private final long id;
    private final List<Message> messages;
    private final @Nullable Pid parent;

    private Submission(
            Process process,
            String method,
            Payloads input,
            Map<String, Object> attributes,
            int mailboxCapacity,
            long id,
            List<Message> messages,
            @Nullable Pid parent) {
        this.process = process;
        this.method = method;
        this.input = input;
        this.attributes = attributes;
        this.mailboxCapacity = mailboxCapacity;
        this.id = id;
        this.messages = messages;
        this.parent = parent;
    }

    /** Returns a submission with no options set. */
    public static Submission of(Process process, String method, @Nullable Object... input) {
        return of(process, method, Payloads.of(input));
    }

    /** Returns a submission with no options set. */
    public static Submission of(Process process, String method, Payloads input) {
        check(process, method);
        Objects.requireNonNull(input, "input is null: use Payloads.empty()");
        return new Submission(process, method, input, Map.of(), DEFAULT_CAPACITY, NO_ID, List.of(), null);
    }

    /** Refuses null. */
    static void check(Process process, String method) {
        Objects.requireNonNull(process, "process is null: give the process to start");
        Objects.requireNonNull(method, "method is null: name the entry point, such as \"main\"");
    }

    /**
     * Sets an attribute, that the process and the handlers of its commands can read and its children inherit.
     *
     * @throws NullPointerException if the name or the value is null
     */
    public Submission attribute(String name, Object value) {
        Objects.requireNonNull(name, "attribute name is null: give it a name");
        Objects.requireNonNull(value, () -> "attribute \"" + name + "\" is null: leave it out");
        var more = new TreeMap<>(attributes);
        more.put(name, value);
        return new Submission(process, method, input, Map.copyOf(more), mailboxCapacity, id, messages, parent);
    }

    /** Sets attributes of another process beneath those that are set here, as a child gets them from its parent. */
    public Submission inherit(Map<String, Object> parents) {
        Objects.requireNonNull(parents, "parents is null: use Map.of() for none");
        Map<String, Object> merged = Attributes.merge(Map.copyOf(parents), attributes);
        return new Submission(process, method, input, merged, mailboxCapacity, id, messages, parent);
    }

    /**
     * Sets how many messages may wait for this process; 0 for as many as memory holds. By default what the scheduler is
     * set to.
     *
     * @throws IllegalArgumentException if it is negative or too large
     */
    public Submission mailboxCapacity(int messages) {
        String problem = SchedulerConfig.mailboxCapacityProblem(messages);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
        return new Submission(process, method, input, attributes, messages, id, this.messages, parent);
    }

    /**
     * Chooses the id of the process's {@link Pid}. The caller sees to it that no id is used twice; that of a living
     * process is refused.
     *
     * @throws IllegalArgumentException if it is below {@link #CHOSEN_ID_MIN}
     */
    public Submission id(long id) {
        if (id < CHOSEN_ID_MIN) {
            throw new IllegalArgumentException("id was " + id + ", must be at least " + CHOSEN_ID_MIN
                    + " (2^56): add Submission.CHOSEN_ID_MIN to yours, or leave it unset to get the next free one");
        }
        return new Submission(process, method, input, attributes, mailboxCapacity, id, messages, parent);
    }

    /**
     * Adds a message that is in the mailbox before the first step.
     *
     * @param topic what it is about
     * @param payload the content, or null; must not be modified afterwards
     */
    public Submission message(String topic, @Nullable Object payload) {
        var more = new ArrayList<>(messages);
        more.add(Message.of(topic, payload));
        return new Submission(process, method, input, attributes, mailboxCapacity, id, List.copyOf(more), parent);
    }

    /** Sets the parent, where that is not the process that spawns it: one of another host, say. */
    public Submission parent(Pid parent) {
        Objects.requireNonNull(parent, "parent is null: leave it out");
        return new Submission(process, method, input, attributes, mailboxCapacity, id, messages, parent);
    }

    /** Returns this with another process in the place of its own. */
    Submission process(Process process) {
        return new Submission(process, method, input, attributes, mailboxCapacity, id, messages, parent);
    }

    @Nullable
    Pid parentOr(@Nullable ProcessCell spawner) {
        return parent != null || spawner == null ? parent : spawner.self();
    }

    Process process() {
        return process;
    }

    String method() {
        return method;
    }

    Payloads input() {
        return input;
    }

    Map<String, Object> attributes() {
        return attributes;
    }

    List<Message> messages() {
        return messages;
    }

    int mailboxCapacityOr(int ofScheduler) {
        return mailboxCapacity == DEFAULT_CAPACITY ? ofScheduler : mailboxCapacity;
    }

    boolean hasId() {
        return id != NO_ID;
    }

    long id() {
        return id;
    }

    @Override
    public String toString() {
        return "Submission[" + process.getClass().getTypeName() + ", " + method + "]";
    }
}
