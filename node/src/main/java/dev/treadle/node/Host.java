// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Command;
import dev.treadle.Pid;
import dev.treadle.ProcessExit;
import dev.treadle.ProcessInfo;
import dev.treadle.ResultReceiver;
import dev.treadle.Scheduler;
import dev.treadle.SchedulerBuilder;
import dev.treadle.SchedulerListener;
import dev.treadle.ShutdownReport;
import dev.treadle.SteppedScheduler;
import dev.treadle.Submission;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler of a node, with its own workers, limits and permissions. It can be stopped, and started again without its
 * node: then it has no processes, and no address of before is used again.
 */
public final class Host {
    /** How many ids a scheduler may use up before its host is started again. */
    private static final long IDS_PER_START = 1L << 40;

    private final Node node;
    private final String name;
    private final HostBuilder settings;
    private final RelationTable relations = new RelationTable(this::isAlive);
    private final AtomicLong chosenIds = new AtomicLong(Submission.CHOSEN_ID_MIN);

    /** The names that processes which are being started will take, by id. */
    private final ConcurrentMap<Long, String> expectedNames = new ConcurrentHashMap<>();

    private long starts;
    private volatile @Nullable Scheduler scheduler;
    private volatile @Nullable SteppedScheduler stepped;

    Host(Node node, String name, HostBuilder settings) {
        this.node = node;
        this.name = name;
        this.settings = settings;
    }

    /** Returns the name: the host in the addresses of its processes. */
    public String name() {
        return name;
    }

    /** Returns whether it runs. */
    public boolean isRunning() {
        Scheduler scheduler = this.scheduler;
        return scheduler != null && !scheduler.isStopping();
    }

    /**
     * Returns the scheduler.
     *
     * @throws IllegalStateException if the host does not run
     */
    public Scheduler scheduler() {
        Scheduler scheduler = this.scheduler;
        if (scheduler == null) {
            throw new IllegalStateException(
                    "host \"" + name + "\" of node \"" + node.name() + "\" does not run: start() it");
        }
        return scheduler;
    }

    /**
     * Starts it, if it does not run.
     *
     * @throws IllegalStateException if the node has been shut down
     * @throws IllegalArgumentException if a setting is invalid; the message names all that are
     */
    public synchronized void start() {
        node.checkOpen();
        if (scheduler != null) {
            return;
        }
        SchedulerBuilder builder = Scheduler.builder().listener(new Ends());
        settings.settings().forEach(setting -> setting.accept(builder));
        node.settings().accept(builder);
        builder.name(name)
                .relay(node)
                .gate(this::refusal)
                .service(Node.class, node)
                .firstId(1 + starts++ * IDS_PER_START)
                .listener(new Starts());
        if (node.isStepped()) {
            SteppedScheduler made = builder.stepped();
            stepped = made;
            scheduler = made.scheduler();
        } else {
            scheduler = builder.start();
        }
    }

    /** Stops it: see {@link Scheduler#shutdown}. Its processes end; names, groups and watchers hear of it. */
    public synchronized ShutdownReport stop(Duration timeout) {
        ShutdownReport report = scheduler().shutdown(timeout);
        scheduler = null;
        stepped = null;
        return report;
    }

    /** Stops it, or returns null if it does not run. */
    synchronized @Nullable ShutdownReport stopIfRunning(Duration timeout) {
        return scheduler == null ? null : stop(timeout);
    }

    /** The scheduler without threads, if the node was built as such. */
    @Nullable
    SteppedScheduler stepped() {
        return stepped;
    }

    @Nullable
    Scheduler schedulerOrNull() {
        return scheduler;
    }

    RelationTable relations() {
        return relations;
    }

    boolean allowsSender(String host) {
        return host.equals(name) || settings.allowsSender(host);
    }

    /** A new address, for a process that others must know before it starts. */
    Pid reservePid() {
        return Pid.of(name, chosenIds.getAndIncrement());
    }

    /** Lets a process that is about to start take a name when it was initialised. */
    void expectName(Pid pid, String name) {
        expectedNames.put(pid.id(), name);
    }

    void forgetName(Pid pid) {
        expectedNames.remove(pid.id());
    }

    private void takeExpectedName(Pid pid) {
        String name = expectedNames.remove(pid.id());
        if (name != null) {
            Pid holder = node.names().take(name, pid);
            if (!holder.equals(pid)) {
                throw new NameTakenException(name, holder);
            }
            relations.changeIfPresent(pid, known -> known.names.add(name));
        }
    }

    boolean isAlive(Pid pid) {
        Scheduler scheduler = this.scheduler;
        return scheduler != null && scheduler.find(pid).isPresent();
    }

    private @Nullable Exception refusal(Command command, ResultReceiver receiver) {
        if (!settings.allowsCommand(command.getClass())) {
            return new NotAllowedException("host \"" + name + "\" does not allow command "
                    + command.getClass().getTypeName() + ": add it to allowCommands of the host");
        }
        return node.rights()
                .refusal(receiver, Permission.RUN, command.getClass().getTypeName());
    }

    @Override
    public String toString() {
        return "Host[" + name + ", " + (isRunning() ? "runs" : "stopped") + "]";
    }

    /** Sees to each process that starts. The last listener: nothing that can refuse comes after it. */
    private final class Starts implements SchedulerListener {
        @Override
        public void onStart(ProcessInfo process) {
            node.rights().check(process.attributes(), Permission.SPAWN, name);
            takeExpectedName(process.pid());
        }
    }

    /** Tells the node of each process that ends. The first listener: names are free before anybody else hears of it. */
    private final class Ends implements SchedulerListener {
        @Override
        public void onComplete(ProcessExit exit) {
            Relations ended = relations.end(exit.pid());
            if (ended != null) {
                node.lifecycle().ended(Host.this, exit, ended);
            }
        }
    }
}
