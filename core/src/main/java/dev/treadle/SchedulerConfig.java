// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.relay.Receiver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The settings of a scheduler; immutable and valid by construction. */
record SchedulerConfig(
        String name,
        int workers,
        int eventBudget,
        int mailboxCapacity,
        int maxProcesses,
        Duration slowStepLimit,
        Duration shutdownTimeout,
        long seed,
        TimeSource time,
        ThreadFactory threads,
        Supplier<Parker> parkers,
        Duration checkLimit,
        @Nullable AttributeBinding binding,
        @Nullable Receiver relay,
        @Nullable CommandGate gate,
        Services services,
        long firstId,
        @Nullable Director director) {
    static final int WORKERS_MAX = 1 << 10;
    static final int EVENT_BUDGET_MAX = 1 << 16;

    /** Reports every invalid setting at once: its name, its value, the rule, the remedy. */
    SchedulerConfig {
        var problems = new ArrayList<String>();
        checkName(problems, name);
        check(
                problems,
                1 <= workers && workers <= WORKERS_MAX,
                "workers was %d, must be 1 to %d: leave it unset to use one per processor",
                workers,
                WORKERS_MAX);
        check(
                problems,
                1 <= eventBudget && eventBudget <= EVENT_BUDGET_MAX,
                "eventBudget was %d, must be 1 to %d: leave it unset to use 64",
                eventBudget,
                EVENT_BUDGET_MAX);
        String mailboxProblem = mailboxCapacityProblem(mailboxCapacity);
        check(problems, mailboxProblem == null, "%s", mailboxProblem);
        check(
                problems,
                1 <= firstId && firstId < Submission.CHOSEN_ID_MIN,
                "firstId was %d, must be 1 to %d: leave it unset to use 1",
                firstId,
                Submission.CHOSEN_ID_MIN - 1);
        check(
                problems,
                maxProcesses >= 0,
                "maxProcesses was %d, must not be negative: use 0 for no limit",
                maxProcesses);
        check(
                problems,
                !slowStepLimit.isNegative() && !slowStepLimit.isZero(),
                "slowStepLimit was %s, must be positive: leave it unset to use 100 ms",
                slowStepLimit);
        check(
                problems,
                !shutdownTimeout.isNegative(),
                "shutdownTimeout was %s, must not be negative: use zero to end by force at once",
                shutdownTimeout);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("Invalid scheduler settings:\n  " + String.join("\n  ", problems));
        }
    }

    private static void checkName(List<String> problems, String name) {
        try {
            Pid.checkName("name", name);
        } catch (IllegalArgumentException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
    }

    private static void check(List<String> problems, boolean ok, String problem, @Nullable Object... args) {
        if (!ok) {
            problems.add(String.format(Locale.ROOT, problem, args));
        }
    }

    /** What is wrong with the bound of a mailbox, or null. */
    static @Nullable String mailboxCapacityProblem(int messages) {
        return 0 <= messages && messages <= ProcessState.MESSAGES_MAX
                ? null
                : "mailboxCapacity was " + messages + ", must be 0 to " + ProcessState.MESSAGES_MAX
                        + ": use 0 for no bound of its own, or leave it unset";
    }

    long slowStepNanos() {
        return Durations.positiveNanos("slowStepLimit", slowStepLimit);
    }

    /** Makes a thread of the scheduler's own. */
    Thread newThread(Runnable task, String name) {
        Thread thread = threads.newThread(task);
        if (thread == null) {
            throw new IllegalStateException("the thread factory of scheduler \"" + this.name
                    + "\" returned null, a scheduler needs its threads: give one that makes a thread at each call");
        }
        thread.setName("treadle-" + name);
        return thread;
    }

    Parker newParker() {
        return parkers.get();
    }
}
