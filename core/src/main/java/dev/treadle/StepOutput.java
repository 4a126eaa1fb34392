// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes what a step wants: commands to run, and what the process does next.
 *
 * <p>The last status said counts. If a step says none, the process waits for its commands if this step yielded any, and
 * for any event if not. Valid only during the step.
 */
@SuppressWarnings("NamedLikeContextualKeyword") // yield is the word of the specification, and always qualified
public sealed class StepOutput extends Padding {
    /** How many commands one step may yield. */
    public static final int YIELDS_MAX = 1 << 16;

    static final long NO_TIMEOUT = 0;

    /** What {@link #sleepsAs} gives for a process that does not sleep. */
    static final int NO_SLEEP = -1;

    private static final int YIELDS_START = 8;

    /*
     * What a step has done, in one word, so that the usual cases are one comparison each:
     *
     *   yields, how many commands | LIMITED, one of them has a timeout | CARRYING, or attributes | SAID, what happens next
     */
    private static final int SAID = 1;
    private static final int CARRYING = 1 << 1;
    private static final int LIMITED = 1 << 2;
    private static final int YIELDS_SHIFT = 3;
    private static final int ONE_YIELD = 1 << YIELDS_SHIFT;

    /** What the process does next. */
    enum Status {
        AWAIT,
        IDLE,
        AGAIN,
        DONE,
        UPGRADE
    }

    /*
     * A worker uses one of these for all steps, until it renews it. To store a reference costs more than to compare one:
     * collectors keep a record of such stores, and if this object is old that of G1 takes a fence. So references are
     * written only where they change, and the first command is kept after its step, until another one takes its place or
     * forgetCommand() is called.
     */

    /** The first command, which most often is the only one: a store in an array looks at its length and type. */
    private @Nullable Command firstCommand;

    private long firstTag;
    private long firstTimeout;

    // Those after the first.
    private @Nullable Command[] commands = new Command[YIELDS_START];
    private long[] tags = new long[YIELDS_START];
    private long[] timeouts = new long[YIELDS_START];

    /** Of all commands. */
    private Map<String, Object>[] attributes = newMaps(YIELDS_START);

    private int written;

    /** What was said, if anything, or what an earlier step said. */
    private Status status = Status.IDLE;

    private @Nullable Object result;
    private @Nullable Upgrade upgrade;

    /** What the process carries; null in a test. */
    private final @Nullable Carried carried;

    /** The thread that runs the steps; null until a worker's thread is bound. */
    private @Nullable Thread stepping;

    private boolean isOpen;

    /** For whoever steps a process by hand, on this thread. */
    StepOutput() {
        this(null);
        stepping = Thread.currentThread();
    }

    StepOutput(@Nullable Carried carried) {
        this.carried = carried;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // there are no arrays of generic types
    private static Map<String, Object>[] newMaps(int length) {
        Map<String, Object>[] maps = new Map[length];
        Arrays.fill(maps, Map.of());
        return maps;
    }

    /**
     * Runs a command. Its {@link Completion} comes back with the tag.
     *
     * @param command what to do
     * @param tag tells the completions apart; any number, yours to choose
     */
    public void yield(Command command, long tag) {
        add(command, tag, NO_TIMEOUT);
    }

    /**
     * Runs a command that may take only so long. If no answer has come by then the completion has a {@link
     * CommandTimeoutException} as its error, and the handler is told to stop.
     *
     * @param command what to do
     * @param tag tells the completions apart; any number, yours to choose
     * @param timeout how long it may take, from the end of this step
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public void yield(Command command, long tag, Duration timeout) {
        add(command, tag, Durations.positiveNanos("timeout", timeout));
    }

    private void add(Command command, long tag, long timeoutNanos) {
        checkOpen();
        Objects.requireNonNull(command, "command is null: give the command to run");
        int before = written;
        if (before < ONE_YIELD) {
            if (firstCommand != command) {
                firstCommand = command;
            }
            firstTag = tag;
            firstTimeout = timeoutNanos;
        } else {
            addToOthers(before >> YIELDS_SHIFT, command, tag, timeoutNanos);
        }
        int after = before + ONE_YIELD;
        if (carried != null && carried.isAny()) {
            attributes[before >> YIELDS_SHIFT] = carried.now();
            after |= CARRYING;
        }
        written = timeoutNanos == NO_TIMEOUT ? after : after | LIMITED;
    }

    private void addToOthers(int yields, Command command, long tag, long timeoutNanos) {
        if (yields == YIELDS_MAX) {
            throw new IllegalStateException("a step yielded " + YIELDS_MAX
                    + " commands, the most that one step may: yield the rest in a later step");
        }
        if (yields == tags.length) {
            // All or none: memory may run out between two of them, and the next process uses the same arrays.
            @Nullable Command[] moreCommands = Arrays.copyOf(commands, yields * 2);
            long[] moreTags = Arrays.copyOf(tags, yields * 2);
            long[] moreTimeouts = Arrays.copyOf(timeouts, yields * 2);
            Map<String, Object>[] moreAttributes = newMaps(yields * 2);
            System.arraycopy(attributes, 0, moreAttributes, 0, yields);
            commands = moreCommands;
            tags = moreTags;
            timeouts = moreTimeouts;
            attributes = moreAttributes;
        }
        commands[yields] = command;
        tags[yields] = tag;
        timeouts[yields] = timeoutNanos;
    }

    /** Waits for a completion or a signal; messages wait too. */
    public void await() {
        say(Status.AWAIT);
    }

    /** Waits for any event, completions of commands still running included. */
    public void idle() {
        say(Status.IDLE);
    }

    /** Wants another step as soon as those that wait already had theirs, with or without events. */
    public void again() {
        say(Status.AGAIN);
    }

    /** Ends the process, with no result. */
    public void done() {
        done(null);
    }

    /**
     * Ends the process.
     *
     * @param result what {@link ProcessRef#result} gives, or null
     */
    public void done(@Nullable Object result) {
        say(Status.DONE);
        this.result = result;
    }

    /**
     * Puts another process in the place of this one after this step: it keeps the address, the mailbox, the parent and
     * those who wait for the result. This one is closed, the next one is initialised, and gets a first step. If that
     * fails the process ends with what was thrown. Commands that still run are cancelled and complete nothing in the next
     * one.
     *
     * @param next the process that takes over
     * @param method its entry point
     * @param input its arguments
     */
    public void upgrade(Process next, String method, @Nullable Object... input) {
        upgrade(next, method, Payloads.of(input), false);
    }

    /**
     * Puts another process in the place of this one, which also takes over the commands that still run: their completions
     * reach it with their tags.
     *
     * @param next the process that takes over
     * @param method its entry point
     * @param input its arguments
     */
    public void upgradeKeepingYields(Process next, String method, @Nullable Object... input) {
        upgrade(next, method, Payloads.of(input), true);
    }

    private void upgrade(Process next, String method, Payloads input, boolean keepsYields) {
        Objects.requireNonNull(next, "next is null: give the process that takes over");
        Objects.requireNonNull(method, "method is null: name the entry point, such as \"main\"");
        say(Status.UPGRADE);
        upgrade = new Upgrade(next, method, input, keepsYields);
    }

    private void say(Status status) {
        checkOpen();
        written |= SAID;
        if (this.status != status) {
            this.status = status;
        }
        forget();
    }

    private void forget() {
        if (result != null) {
            result = null;
        }
        if (upgrade != null) {
            upgrade = null;
        }
    }

    private void checkOpen() {
        if (!isOpen || stepping != Thread.currentThread()) {
            throw new IllegalStateException(
                    "StepOutput was used outside of its step, it is valid only while step() runs and on its thread:"
                            + " to do something later, yield a command or send a message");
        }
    }

    /** The thread that runs the steps from now on. */
    void bind(Thread thread) {
        stepping = thread;
    }

    /** Worker only. */
    void open() {
        isOpen = true;
    }

    /** Worker only, when the step has returned: from now on nothing can be written. */
    void seal() {
        isOpen = false;
    }

    /** Worker only, when it is sealed: forgets everything, for the next process. */
    void clear() {
        int yields = yields();
        for (int i = 1; i < yields; i++) { // few: a call to fill costs more
            commands[i] = null;
        }
        if ((written & CARRYING) != 0) {
            clearAttributes(yields);
        }
        if ((written & SAID) != 0) {
            forget();
        }
        written = 0;
    }

    /** Worker only, when it is clear: keeps no command of the last steps. */
    void forgetCommand() {
        firstCommand = null;
    }

    /** Worker only: whether the step has yielded one command, without a timeout or anything that goes along, and said nothing. */
    boolean isOneCommand() {
        return written == ONE_YIELD;
    }

    /** Worker only, in place of {@link #clear} after a step with one command, which is kept. */
    void clearOneCommand() {
        written = 0;
    }

    private void clearAttributes(int yields) {
        for (int i = 0; i < yields; i++) {
            if (!attributes[i].isEmpty()) {
                attributes[i] = Map.of();
            }
        }
    }

    int yields() {
        return written >> YIELDS_SHIFT;
    }

    Command command(int index) {
        return Objects.requireNonNull(index == 0 ? firstCommand : commands[index]);
    }

    long tag(int index) {
        return index == 0 ? firstTag : tags[index];
    }

    long timeoutNanos(int index) {
        return index == 0 ? firstTimeout : timeouts[index];
    }

    Map<String, Object> attributes(int index) {
        return attributes[index];
    }

    /** Returns whether the step has said nothing and yielded nothing: it waits for any event. */
    boolean isUntouched() {
        return written == 0;
    }

    /** Returns what was said last, with the default filled in. */
    Status status() {
        if ((written & SAID) != 0) {
            return status;
        }
        return yields() > 0 ? Status.AWAIT : Status.IDLE;
    }

    /** Returns the {@link ProcessState} in which the process waits after this step, or {@link #NO_SLEEP}. */
    int sleepsAs() {
        if ((written & SAID) == 0) {
            return yields() > 0 ? ProcessState.BLOCKED : ProcessState.IDLE;
        }
        return status == Status.AWAIT ? ProcessState.BLOCKED : status == Status.IDLE ? ProcessState.IDLE : NO_SLEEP;
    }

    @Nullable
    Object result() {
        return result;
    }

    Upgrade upgrade() {
        return Objects.requireNonNull(upgrade);
    }

    @Override
    public String toString() {
        return "StepOutput[" + status() + ", " + yields() + " yields]";
    }

    /** What takes the place of the process. */
    record Upgrade(Process next, String method, Payloads input, boolean keepsYields) {}

    /** With room behind it: see {@link Padding}. */
    static final class Padded extends StepOutput {
        long b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15;

        Padded(Carried carried) {
            super(carried);
        }
    }
}
