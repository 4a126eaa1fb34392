// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.relay.Receiver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects the settings of a scheduler; {@link #start} checks them all and starts it.
 *
 * <table>
 * <caption>Settings</caption>
 * <tr><th>setting</th><th>default</th></tr>
 * <tr><td>{@link #name}</td><td>"main"</td></tr>
 * <tr><td>{@link #workers}</td><td>one per available processor</td></tr>
 * <tr><td>{@link #handlers}</td><td>none</td></tr>
 * <tr><td>{@link #listener}</td><td>none</td></tr>
 * <tr><td>{@link #eventBudget}</td><td>64 events a step</td></tr>
 * <tr><td>{@link #mailboxCapacity}</td><td>65,536 messages</td></tr>
 * <tr><td>{@link #maxProcesses}</td><td>0: no limit</td></tr>
 * <tr><td>{@link #slowStepLimit}</td><td>100 ms</td></tr>
 * <tr><td>{@link #shutdownTimeout}</td><td>10 s</td></tr>
 * <tr><td>{@link #seed}</td><td>from the clock</td></tr>
 * <tr><td>{@link #time}</td><td>{@link TimeSource#SYSTEM}</td></tr>
 * <tr><td>{@link #threads}</td><td>daemon threads</td></tr>
 * </table>
 */
public final class SchedulerBuilder {
    private static final int EVENT_BUDGET_DEFAULT = 64;
    private static final int MAILBOX_CAPACITY_DEFAULT = 65_536;

    private String name = "main";
    private int workers = Math.min(Runtime.getRuntime().availableProcessors(), SchedulerConfig.WORKERS_MAX);
    private int eventBudget = EVENT_BUDGET_DEFAULT;
    private int mailboxCapacity = MAILBOX_CAPACITY_DEFAULT;
    private int maxProcesses;
    private Duration slowStepLimit = Duration.ofMillis(100);
    private Duration shutdownTimeout = Duration.ofSeconds(10);
    private long seed = System.nanoTime();
    private TimeSource time = TimeSource.SYSTEM;
    private ThreadFactory threads = new NamedThreads("treadle-");
    private Supplier<Parker> parkers = ThreadParker::new;
    private Duration checkLimit = InvariantChecker.LIMIT;
    private @Nullable AttributeBinding binding;
    private @Nullable Receiver relay;
    private @Nullable CommandGate gate;
    private Services services = Services.NONE;
    private long firstId = 1;
    private @Nullable Director director;
    private CommandRegistry registry = new CommandRegistry();
    private final List<SchedulerListener> listeners = new ArrayList<>();

    SchedulerBuilder() {}

    /** Names the scheduler: it is the host in the addresses of its processes, and part of its threads' names. */
    public SchedulerBuilder name(String name) {
        this.name = Objects.requireNonNull(name, "name is null: leave it unset to use \"main\"");
        return this;
    }

    /** Sets the number of workers. */
    public SchedulerBuilder workers(int workers) {
        this.workers = workers;
        return this;
    }

    /** Sets who does the work of commands. The registry is frozen when the scheduler starts. */
    public SchedulerBuilder handlers(CommandRegistry registry) {
        this.registry = Objects.requireNonNull(registry, "registry is null: leave it unset for no handlers");
        return this;
    }

    /** Adds a listener. */
    public SchedulerBuilder listener(SchedulerListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener is null: leave it out"));
        return this;
    }

    /** Sets how many events one step gets at the most. */
    public SchedulerBuilder eventBudget(int events) {
        this.eventBudget = events;
        return this;
    }

    /** Sets how many messages may wait for one process; 0 for as many as memory holds. */
    public SchedulerBuilder mailboxCapacity(int messages) {
        this.mailboxCapacity = messages;
        return this;
    }

    /** Sets how many processes may be alive at a time; 0 for as many as memory holds. */
    public SchedulerBuilder maxProcesses(int processes) {
        this.maxProcesses = processes;
        return this;
    }

    /** Sets after how long a step is reported as slow, and its worker replaced by a spare one. */
    public SchedulerBuilder slowStepLimit(Duration limit) {
        this.slowStepLimit = Objects.requireNonNull(limit, "limit is null: leave it unset to use 100 ms");
        return this;
    }

    /** Sets how long {@link Scheduler#close} lets processes take to end. */
    public SchedulerBuilder shutdownTimeout(Duration timeout) {
        this.shutdownTimeout = Objects.requireNonNull(timeout, "timeout is null: leave it unset to use 10 s");
        return this;
    }

    /** Sets where all randomness comes from. */
    public SchedulerBuilder seed(long seed) {
        this.seed = seed;
        return this;
    }

    /** Sets the clock. */
    public SchedulerBuilder time(TimeSource time) {
        this.time = Objects.requireNonNull(time, "time is null: leave it unset to use the machine's clocks");
        return this;
    }

    /** Sets who makes the threads of workers, timers and watchdog. The scheduler names them. */
    public SchedulerBuilder threads(ThreadFactory threads) {
        this.threads = Objects.requireNonNull(threads, "threads is null: leave it unset to use daemon threads");
        return this;
    }

    /** Sets what makes attributes visible to libraries that look for them on the current thread. */
    public SchedulerBuilder binding(AttributeBinding binding) {
        this.binding = Objects.requireNonNull(binding, "binding is null: leave it unset for none");
        return this;
    }

    /** Sets who takes messages to addresses on other hosts. Without one, they are undeliverable. */
    public SchedulerBuilder relay(Receiver relay) {
        this.relay = Objects.requireNonNull(relay, "relay is null: leave it unset for none");
        return this;
    }

    /** Sets who decides whether a process may run a command. Without one, every process may run every command. */
    public SchedulerBuilder gate(CommandGate gate) {
        this.gate = Objects.requireNonNull(gate, "gate is null: leave it unset to let all commands pass");
        return this;
    }

    /** Offers something to the processes, who find it with {@link ProcessContext#service}. */
    public <T> SchedulerBuilder service(Class<T> type, T service) {
        services = services.with(type, service);
        return this;
    }

    /**
     * Sets the id of the first process; those after it count up. For a scheduler that takes the place of one of the same
     * name, so that no address is used twice.
     */
    public SchedulerBuilder firstId(long id) {
        this.firstId = id;
        return this;
    }

    /** Sets who decides what is otherwise left to chance: for {@link #stepped} alone. */
    public SchedulerBuilder director(Director director) {
        this.director = Objects.requireNonNull(director, "director is null: leave it unset for none");
        return this;
    }

    /** For model checkers: where workers sleep. No thread checks such a scheduler by the clock. */
    SchedulerBuilder parkers(Supplier<Parker> parkers) {
        this.parkers = parkers;
        return checkLimit(Duration.ZERO);
    }

    /** For tests: how long a violation that {@link InvariantChecker} looks for must last; zero for no checker. */
    SchedulerBuilder checkLimit(Duration limit) {
        this.checkLimit = limit;
        return this;
    }

    /**
     * Starts the scheduler.
     *
     * @throws IllegalArgumentException if a setting is invalid; the message names all that are
     */
    public Scheduler start() {
        if (director != null) {
            throw new IllegalArgumentException("director was set for scheduler \"" + name
                    + "\", which is to have threads that nobody directs: use stepped(), or leave it unset");
        }
        var scheduler = new Scheduler(config(), registry, listeners, true);
        scheduler.start();
        return scheduler;
    }

    /**
     * Makes a scheduler without threads, that is run by calling {@link SteppedScheduler#runOne}: for tests and
     * simulations that decide themselves what happens next.
     *
     * @throws IllegalArgumentException if a setting is invalid; the message names all that are
     */
    public SteppedScheduler stepped() {
        var scheduler = new Scheduler(config(), registry, listeners, false);
        scheduler.start();
        return new SteppedScheduler(scheduler);
    }

    private SchedulerConfig config() {
        return new SchedulerConfig(
                name,
                workers,
                eventBudget,
                mailboxCapacity,
                maxProcesses,
                slowStepLimit,
                shutdownTimeout,
                seed,
                time,
                threads,
                parkers,
                checkLimit,
                binding,
                relay,
                gate,
                services,
                firstId,
                director);
    }
}
