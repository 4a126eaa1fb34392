// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.AskFailedException;
import dev.treadle.Pid;
import dev.treadle.ProcessInfo;
import dev.treadle.ProcessRef;
import dev.treadle.relay.Delivery;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Workers that share the load: each message goes straight to one of them. Workers that end are replaced; more are added
 * up to a limit; what waits for each has a bound, beyond which a request fails at once.
 *
 * <pre>{@code
 * Pool pool = Pool.of(node, Spawn.of(Resizer::new).on("images"), PoolOptions.leastLoaded(4).growTo(16).waitingMax(100));
 * pool.ask("resize", picture, Duration.ofSeconds(5)).thenAccept(...);
 * }</pre>
 *
 * <p>Safe for use by many threads, also inside of steps: {@link #send} never blocks.
 */
public final class Pool implements AutoCloseable {
    /*
     * A plain object over addresses, so that a message to a worker costs one send and not two. Behind it stands one
     * process, the PoolKeeper, that watches the workers. Places are numbered: a worker that is replaced leaves its number
     * to the next, and a pool grows at the end, so that keys stay where they are.
     *
     * The bound is that of the workers' mailboxes, which is exact. What pick() looks at before is a moment old.
     */
    static final Duration GRACE = Duration.ofSeconds(10);

    private static final Rights KEEPERS = Rights.all("treadle");

    private final Node node;
    private final Spawn worker;
    private final PoolOptions options;
    private final Pid keeper;
    private final AtomicInteger turn = new AtomicInteger();
    private final AtomicBoolean growing = new AtomicBoolean();
    private final LongAdder refused = new LongAdder();
    private final LongAdder replaced = new LongAdder();

    /** A new array at each change, which is made under the lock of this object. */
    private volatile Pid[] workers = {};

    private volatile boolean ended;

    private Pool(Node node, Spawn worker, PoolOptions options) {
        this.node = node;
        this.options = options;
        Spawn spawn = Spawn.of(() -> new PoolKeeper(this, options)).attribute(Rights.ATTRIBUTE, KEEPERS);
        this.keeper = node.spawn(worker.host() == null ? spawn : spawn.on(worker.host()))
                .pid();
        this.worker = worker.with(submission ->
                        submission.mailboxCapacity(options.waitingMax()).parent(keeper))
                .monitoredBy(keeper);
    }

    /**
     * Starts a pool and its workers.
     *
     * @param worker what each worker is; without a name, since there are several
     * @throws IllegalArgumentException if the worker has a name
     * @throws RuntimeException what the init of a worker throws; then nothing is left of the pool
     */
    public static Pool of(Node node, Spawn worker, PoolOptions options) {
        Objects.requireNonNull(node, "node is null: give the node that the workers are on");
        Objects.requireNonNull(options, "options is null: use PoolOptions.roundRobin(...), say");
        if (worker.name() != null) {
            throw new IllegalArgumentException("the worker of a pool was named \"" + worker.name()
                    + "\", must have no name since there are several: leave it out");
        }
        var pool = new Pool(node, worker, options);
        boolean started = false;
        try {
            while (pool.workers.length < options.workers()) {
                pool.add();
            }
            started = true;
            return pool;
        } finally {
            if (!started) {
                node.terminate(pool.keeper, "a worker did not start");
            }
        }
    }

    // Picking a worker.

    /**
     * Returns the worker that is next, for a process that asks it with a command of its own.
     *
     * @throws PoolFullException if all have as much waiting as they may
     * @throws IllegalStateException if the pool has ended
     */
    public Pid pick() {
        return pick(null);
    }

    /** Returns the worker that a key belongs to; the next one if the pool does not go by keys. See {@link #pick()}. */
    public Pid pick(@Nullable Object key) {
        Pid[] workers = this.workers;
        if (ended || workers.length == 0) {
            throw new IllegalStateException("the pool of " + keeper + " has ended: start another");
        }
        boolean byKey = options.routing() == PoolOptions.Routing.BY_KEY;
        int first = first(key, workers);
        if (waiting(workers[first]) >= options.growAt() && grow()) {
            workers = this.workers;
            first = byKey ? first(key, workers) : workers.length - 1;
        }
        int tries = byKey ? 1 : workers.length;
        for (int i = 0; i < tries; i++) {
            Pid worker = workers[(first + i) % workers.length];
            if (waiting(worker) < options.waitingMax()) {
                return worker;
            }
        }
        refused.increment();
        throw new PoolFullException((byKey ? "the worker of key " + key : "each of " + workers.length + " workers")
                + " has " + options.waitingMax() + " messages waiting, the most that waitingMax allows, or is being"
                + " replaced: ask again later, or let the pool have more workers");
    }

    private int first(@Nullable Object key, Pid[] workers) {
        return switch (options.routing()) {
            case ROUND_ROBIN -> next(workers.length);
            case LEAST_LOADED -> leastLoaded(workers);
            case BY_KEY ->
                ConsistentHash.place(
                        Objects.requireNonNull(key, "key is null: this pool goes by keys, give one"), workers.length);
        };
    }

    private int next(int length) {
        return Math.floorMod(turn.getAndIncrement(), length);
    }

    /** Begins at another one each time, so that of several with nothing to do each gets its share. */
    private int leastLoaded(Pid[] workers) {
        int from = next(workers.length);
        int best = from;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < workers.length && least > 0; i++) {
            int index = (from + i) % workers.length;
            int load = load(workers[index]);
            if (load < least) {
                least = load;
                best = index;
            }
        }
        return best;
    }

    private int load(Pid worker) {
        ProcessInfo info = inspect(worker);
        if (info == null) {
            return Integer.MAX_VALUE;
        }
        boolean busy = info.state() == ProcessInfo.State.RUNNING || info.state() == ProcessInfo.State.READY;
        return info.queueLength() + info.yieldsInFlight() + (busy ? 1 : 0);
    }

    private int waiting(Pid worker) {
        ProcessInfo info = inspect(worker);
        return info == null ? Integer.MAX_VALUE : info.queueLength();
    }

    private @Nullable ProcessInfo inspect(Pid worker) {
        return node.find(worker).flatMap(ProcessRef::inspect).orElse(null);
    }

    // Using it.

    /** Sends a message to a worker, from outside. Never blocks. */
    public Delivery send(String topic, @Nullable Object payload) {
        return send(null, topic, payload);
    }

    /** Sends a message to the worker that a key belongs to, from outside. Never blocks. */
    public Delivery send(@Nullable Object key, String topic, @Nullable Object payload) {
        for (int tries = workers.length; tries >= 0 && !ended; tries--) {
            Pid worker;
            try {
                worker = pick(key);
            } catch (PoolFullException e) {
                return Delivery.MAILBOX_FULL;
            }
            Delivery delivery = node.send(worker, topic, payload);
            if (delivery != Delivery.MAILBOX_FULL && delivery != Delivery.NO_SUCH_PROCESS) {
                return delivery;
            }
        }
        refused.increment(); // others were faster each time
        return ended ? Delivery.NO_SUCH_PROCESS : Delivery.MAILBOX_FULL;
    }

    /** Asks a worker, from outside. Fails at once with a {@link PoolFullException} if none has room. */
    public CompletableFuture<@Nullable Object> ask(String topic, @Nullable Object payload, Duration timeout) {
        return ask(null, topic, payload, timeout);
    }

    /** Asks the worker that a key belongs to, from outside. Fails at once with a {@link PoolFullException} if it has no room. */
    public CompletableFuture<@Nullable Object> ask(
            @Nullable Object key, String topic, @Nullable Object payload, Duration timeout) {
        for (int tries = workers.length; tries >= 0; tries--) {
            Pid worker;
            try {
                worker = pick(key);
            } catch (PoolFullException | IllegalStateException e) {
                return CompletableFuture.failedFuture(e);
            }
            Optional<ProcessRef> ref = node.find(worker);
            if (ref.isPresent()) {
                CompletableFuture<@Nullable Object> reply = ref.get().ask(topic, payload, timeout);
                if (!isUndelivered(reply)) {
                    return reply;
                }
            }
        }
        refused.increment();
        return CompletableFuture.failedFuture(
                new PoolFullException("the workers were full or ended each time one was picked: ask again later"));
    }

    private static boolean isUndelivered(CompletableFuture<?> reply) {
        return reply.isCompletedExceptionally()
                && reply.handle((payload, error) -> error instanceof AskFailedException failed
                                && (failed.reason() == AskFailedException.Reason.MAILBOX_FULL
                                        || failed.reason() == AskFailedException.Reason.NO_SUCH_PROCESS))
                        .getNow(false);
    }

    /** Returns the workers of a moment. */
    public List<Pid> workers() {
        return List.of(workers);
    }

    /** Returns the process that stands for the pool: watch it to hear of the pool's end, terminate it to end the pool. */
    public Pid keeper() {
        return keeper;
    }

    /** Returns what the pool is at, and what it has done. */
    public PoolStats stats() {
        long waiting = 0;
        for (Pid worker : workers) {
            ProcessInfo info = inspect(worker);
            waiting += info == null ? 0 : info.queueLength();
        }
        return new PoolStats(workers.length, waiting, refused.sum(), replaced.sum());
    }

    // Workers come and go.

    /** Adds a worker if there may be more, and nobody else is at it. */
    private boolean grow() {
        if (workers.length >= options.workersMax() || !growing.compareAndSet(false, true)) {
            return false;
        }
        try {
            return workers.length < options.workersMax() && add();
        } catch (RuntimeException e) {
            return false; // the host is full, or its init fails: those who are there have to do
        } finally {
            growing.set(false);
        }
    }

    private boolean add() {
        Pid added = node.spawn(worker).pid();
        synchronized (this) {
            if (!ended) {
                Pid[] more = Arrays.copyOf(workers, workers.length + 1);
                more[more.length - 1] = added;
                workers = more;
                return true;
            }
        }
        node.terminate(added, "its pool has ended");
        return false;
    }

    boolean holds(Pid worker) {
        return Arrays.asList(workers).contains(worker);
    }

    /** The keeper: puts a new worker in the place of one that has ended. */
    void replace(Pid old) {
        Pid next = node.spawn(worker).pid();
        synchronized (this) {
            Pid[] changed = workers.clone();
            int place = Arrays.asList(changed).indexOf(old);
            if (place >= 0) {
                changed[place] = next;
                replaced.increment();
                workers = changed;
                return;
            }
        }
        node.terminate(next, "its pool has ended");
    }

    /** The keeper, at its end: returns the workers to end. */
    synchronized List<Pid> end() {
        ended = true;
        List<Pid> last = List.of(workers);
        workers = new Pid[0];
        return last;
    }

    Node node() {
        return node;
    }

    /** Asks the keeper to end, and with it the workers. Does not wait for that. */
    @Override
    public void close() {
        node.cancel(keeper, "the pool is closed", GRACE);
    }

    @Override
    public String toString() {
        return "Pool[" + keeper + ", " + options.routing() + ", " + workers.length + " workers]";
    }
}
