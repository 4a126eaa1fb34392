// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessExit;
import dev.treadle.ProcessTimer;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A process that starts others, its children, and starts them again when they end: by the rules of Erlang/OTP, of which
 * docs/guide/supervision.md has a table.
 *
 * <pre>{@code
 * Spawned shop = node.spawn(SupervisorSpec.oneForOne()
 *         .child("orders", Spawn.of(OrderBook::new))
 *         .spawn());
 * System.out.println(node.tree());
 * }</pre>
 *
 * <p>Its children are started in order, in its first step, and stopped in the reverse order when it is asked to end. However
 * it ends, no child outlives it. If it has to restart too often it stops its children and fails with a {@link
 * RestartIntensityException}; if it is a child itself, its own supervisor decides what then. To change its children while it
 * runs, use {@link SupervisorRef} or {@link SupervisorCommands}.
 */
public final class Supervisor implements Process {
    /*
     * The supervisor never waits inside of a step. Each event changes what is to be started and what is to be stopped; then
     * goOn() does as much of it as can be done now:
     *
     *              startAt                    it has started
     *   WAITING ------------> toStart ---------------------------> RUNNING
     *      ^                     |  it is a supervisor                |  told to stop, or ended and left somebody behind
     *      |                     +--------> STARTING ----------+      v
     *      |  after its end, by the rules      +--------------------> STOPPING
     *      +----------------------------------------------------------+
     *
     * Stops of a group and at the end go one after the other: the last of toStop is told, and the next one when it has ended.
     * Starts wait for these, but for one-for-one, where nobody depends on anybody.
     *
     * An end is counted when the process has ended and all that it left behind: see SupervisorEstate.
     */
    private static final System.Logger LOG = System.getLogger("dev.treadle.node");

    /** The supervisor says again() after so many starts, so that others on its worker have their turn. */
    static final int STARTS_PER_STEP_MAX = 64;

    private static final String WAKE_TOPIC = "treadle.supervisor.wake";

    private final SupervisorSpec spec;
    private final RestartWindow window;
    private final CompletableFuture<@Nullable Void> started = new CompletableFuture<>();

    // Set by init.
    private @Nullable ProcessContext context;
    private @Nullable NodeContext nodeContext;
    private @Nullable SupervisorEstate estate;
    private @Nullable SupervisorChildren children;
    private @Nullable SupervisorRequests requests;
    private long beginNanos;

    private boolean begun;
    private int initialLeft;
    private boolean ending;
    private @Nullable RuntimeException failure;
    private @Nullable ProcessTimer wake;
    private long wakeNanos;

    private final AtomicLong restarts = new AtomicLong();

    private Supervisor(SupervisorSpec spec) {
        this.spec = spec;
        window = new RestartWindow(spec.intensity(), spec.period().toNanos());
    }

    /** Returns a supervisor that has not been started. One object is one life: make a new one for each spawn. */
    public static Supervisor of(SupervisorSpec spec) {
        return new Supervisor(Objects.requireNonNull(spec, "spec is null: use SupervisorSpec.oneForOne()"));
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        this.context = context;
        nodeContext = NodeContext.of(context);
        beginNanos = context.time().nanos();
        Supervisor above = node().supervisors().find(context.parent());
        estate = new SupervisorEstate(above == null ? null : above.estate);
        children = new SupervisorChildren(estate);
        requests = new SupervisorRequests(this, context, children);
        node().supervisors().add(context.self(), this);
    }

    @Override
    public void step(Events events, StepOutput out) {
        if (!begun) {
            begun = true;
            for (ChildSpec child : spec.children()) {
                SupervisorChild added = own().add(child);
                added.isInitial = true;
                initialLeft++;
                own().startAt(added, 0);
            }
        }
        for (Event event : events) {
            if (event instanceof Signal signal) {
                onSignal(signal);
            } else if (event instanceof Message message && message.payload() instanceof SupervisorRequest request) {
                Objects.requireNonNull(requests).handle(message, request);
            }
        }
        goOn(out);
    }

    private void onSignal(Signal signal) {
        if (signal.isCancel()) {
            stopAll();
            return;
        }
        ProcessExit exit = signal.exit();
        SupervisorChild child = own().ended(signal);
        if (child == null || exit == null) {
            return;
        }
        if (exit.pid().equals(child.pid())) {
            child.exit = exit;
            child.show(SupervisionTree.State.STOPPING, null);
        }
        for (Pid left : Objects.requireNonNull(estate).take(exit.pid())) {
            own().watch(child, node().monitor(self(), left).ref(), left); // if it is dead, the next step hears of it
        }
        if (!child.isAlive()) {
            ended(child, Objects.requireNonNullElse(child.exit, exit));
        }
    }

    private void goOn(StepOutput out) {
        noteStarted();
        boolean more = !ending && startDue();
        tellStarted();
        stopNext();
        if (ending && own().nextToStop() == null) {
            if (failure != null) {
                throw failure;
            }
            out.done();
        } else if (more) {
            out.again();
        } else {
            setWake();
            out.idle();
        }
    }

    // Starting.

    /** Starts who is due; true if there are more. */
    private boolean startDue() {
        int starts = 0;
        for (SupervisorChild child = own().nextToStart(); child != null; child = own().nextToStart()) {
            if (child.startNanos > nowNanos() || isHeldUp(child)) {
                return false;
            }
            if (++starts > STARTS_PER_STEP_MAX) {
                return true;
            }
            own().dropStart(child);
            if (!start(child)) {
                return true; // others may have their turn before it is tried again
            }
        }
        return false;
    }

    /** Whether a child must wait for others to have ended or started. */
    private boolean isHeldUp(SupervisorChild child) {
        boolean isFree = spec.strategy() == SupervisorStrategy.ONE_FOR_ONE;
        if (!isFree && own().nextToStop() != null) {
            return true;
        }
        if (isFree && initialLeft == 0) {
            return false;
        }
        return own().starting().stream().anyMatch(other -> other.wave != child.wave);
    }

    private boolean start(SupervisorChild child) {
        Spawned spawned;
        try {
            spawned = Objects.requireNonNull(nodeContext).spawnMonitored(child.spec.spawn());
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable thrown) {
            startFailed(child, thrown);
            return false;
        }
        Monitor monitor = Objects.requireNonNull(spawned.monitor());
        if (!spawned.isNew()) {
            node().demonitor(monitor);
            startFailed(
                    child,
                    new IllegalStateException("child \"" + child.spec.id() + "\" of supervisor " + self()
                            + " was not started, since its name \""
                            + child.spec.spawn().name() + "\" belongs to "
                            + spawned.pid() + ": end that one, or give the child a name of its own"));
            return false;
        }
        child.exit = null;
        child.startedNanos = nowNanos();
        child.isKeptStopped = false;
        if (!own().watch(child, monitor.ref(), spawned.pid())) {
            node().terminate(spawned.pid(), "its supervisor " + self() + " has ended");
            return false;
        }
        child.show(
                child.spec.isSupervisor() ? SupervisionTree.State.STARTING : SupervisionTree.State.RUNNING,
                spawned.pid());
        if (child.spec.isSupervisor()) {
            own().starting().add(child);
        } else {
            running(child);
        }
        return true;
    }

    /** Looks at the children that are supervisors and start their own. Their word that they have may get lost. */
    private void noteStarted() {
        for (SupervisorChild child : List.copyOf(own().starting())) {
            Supervisor below = node().supervisors().find(child.pid());
            if (below != null && below.started.isDone() && !below.started.isCompletedExceptionally()) {
                own().starting().remove(child);
                if (child.state() == SupervisionTree.State.STARTING) {
                    child.show(SupervisionTree.State.RUNNING);
                    running(child);
                }
            }
        }
    }

    /** Once all that were there from the beginning have been started. */
    private void tellStarted() {
        if (!ending && initialLeft == 0 && started.complete(null)) {
            Pid parent = Objects.requireNonNull(context).parent();
            if (parent != null && Objects.requireNonNull(estate).hasHeir()) {
                node().send(parent, WAKE_TOPIC, null);
            }
        }
    }

    private void running(SupervisorChild child) {
        if (child.isRestart) {
            child.countRestart();
            child.isRestart = false;
        }
        child.wasStarted = true;
        noLongerInitial(child);
        Objects.requireNonNull(requests).started(child);
    }

    void noLongerInitial(SupervisorChild child) {
        if (child.isInitial) {
            child.isInitial = false;
            initialLeft--;
        }
    }

    private void startFailed(SupervisorChild child, Throwable reason) {
        child.show(SupervisionTree.State.STOPPED, null);
        if (node().isClosed() || !node().host(self().host()).isRunning()) {
            stopAll(); // nothing can be started any more
        } else if (Objects.requireNonNull(requests).startFailed(child, reason)) {
            LOG.log(Level.DEBUG, "supervisor {0}: child \"{1}\" did not start", self(), child.spec.id());
        } else if (child.isInitial) {
            failure = new SupervisorStartException(
                    "supervisor " + self() + " did not start, since its child \"" + child.spec.id()
                            + "\" did not: see the cause",
                    reason);
            stopAll();
        } else {
            restart(child, reason, false);
        }
    }

    // Ends.

    private void ended(SupervisorChild child, ProcessExit exit) {
        boolean wanted = child.isStopWanted;
        boolean wasStarting = own().starting().remove(child);
        own().dropStop(child);
        if (ending) {
            child.show(SupervisionTree.State.STOPPING, null);
        } else if (wanted) {
            Objects.requireNonNull(requests).stopped(child);
        } else if (wasStarting) {
            Throwable reason = exit.reason();
            startFailed(child, reason == null ? new IllegalStateException(exit + " before it had started") : reason);
        } else if (child.spec.restart().isDueAfter(exit)) {
            restart(child, exit.reason(), true);
        } else if (child.spec.restart() == Restart.TEMPORARY) {
            own().forget(child);
        } else {
            child.show(SupervisionTree.State.STOPPED, null);
        }
    }

    /** Counts a restart, and plans it: for the child that ended or did not start, and for those that go with it. */
    private void restart(SupervisorChild child, @Nullable Throwable reason, boolean hasRun) {
        restarts.incrementAndGet();
        if (!window.admit(nowNanos())) {
            failure = new RestartIntensityException(self(), child.spec.id(), spec.intensity(), spec.period(), reason);
            LOG.log(Level.WARNING, failure.getMessage());
            stopAll();
            return;
        }
        Backoff backoff = child.spec.backoffOr(spec.backoff());
        if (hasRun && backoff.isStable(nowNanos() - child.startedNanos)) {
            child.failures = 0;
        }
        long delay = backoff.delayNanos(
                child.failures++, Objects.requireNonNull(context).random());
        LOG.log(Level.DEBUG, "supervisor {0}: child \"{1}\" is restarted in {2} ns", self(), child.spec.id(), delay);
        child.isRestart = true;
        startAt(child, nowNanos() + delay);
        for (SupervisorChild other : own().group(spec.strategy(), child)) {
            if (other != child) {
                restartWith(child, other);
            }
        }
    }

    private void restartWith(SupervisorChild child, SupervisorChild other) {
        long nanos = Math.max(other.startNanos, child.startNanos);
        if (other.isAlive()) {
            other.startNanos = nanos;
            if (!other.isStopWanted) {
                other.isRestart = true;
                own().stopInOrder(other, SupervisorChild.Next.START);
            }
        } else if (own().dropStart(other)) {
            own().startAt(other, nanos);
        } else if (!other.isKeptStopped) {
            other.isRestart = true;
            own().startAt(other, nanos);
        }
    }

    /** Plans a start. With groups nobody overtakes those who wait. */
    void startAt(SupervisorChild child, long nanos) {
        own().dropStart(child);
        boolean isFree = spec.strategy() == SupervisorStrategy.ONE_FOR_ONE;
        own().startAt(child, isFree ? nanos : own().notBeforeOthers(nanos));
    }

    // Stopping.

    private void stopAll() {
        if (ending) {
            return;
        }
        ending = true;
        own().dropStarts();
        for (SupervisorChild child : own().all()) {
            if (child.isAlive()) {
                own().stopInOrder(child, SupervisorChild.Next.KEEP);
            }
        }
    }

    private void stopNext() {
        SupervisorChild child = own().nextToStop();
        if (child != null) {
            stop(child);
        }
    }

    /** Tells a child to end, if it was not told before. */
    void stop(SupervisorChild child) {
        Pid pid = child.pid();
        child.isStopWanted = true;
        if (child.isStopTold || pid == null) {
            return;
        }
        child.isStopTold = true;
        child.show(SupervisionTree.State.STOPPING);
        Duration timeout = child.spec.shutdown();
        String reason = "stopped by its supervisor " + self();
        if (child.spec.isBrutal()) {
            node().terminate(pid, reason);
        } else if (timeout == null) {
            node().cancel(pid, reason);
        } else {
            node().cancel(pid, reason, timeout);
        }
    }

    private void setWake() {
        SupervisorChild next = own().nextToStart();
        long now = nowNanos();
        boolean needed = next != null && !ending && next.startNanos > now;
        if (wake != null && (!needed || wakeNanos != Objects.requireNonNull(next).startNanos)) {
            wake.cancel();
            wake = null;
        }
        if (needed && wake == null) {
            wakeNanos = Objects.requireNonNull(next).startNanos;
            wake = Objects.requireNonNull(context).timers().after(Duration.ofNanos(wakeNanos - now), WAKE_TOPIC, null);
        }
    }

    /** Ends the children that live: those of a supervisor that was terminated or has failed by itself. */
    @Override
    public void close() {
        if (estate == null) {
            return; // init has failed
        }
        node().supervisors().remove(self());
        var end = new IllegalStateException("supervisor " + self() + " ended before all of its children had started");
        if (failure != null) {
            end.initCause(failure);
        }
        started.completeExceptionally(end);
        for (Pid left : estate.close(self(), own().all())) {
            node().terminate(left, "its supervisor " + self() + " has ended");
        }
    }

    // For the parts of the node. Any thread.

    /** Complete when all children have been started, or the supervisor has ended before that. */
    CompletableFuture<@Nullable Void> started() {
        return started;
    }

    Collection<SupervisorChild> children() {
        return own().all();
    }

    List<SupervisionTree.Entry> entries() {
        return node().supervisors().entriesOf(this);
    }

    SupervisionTree.State state() {
        return started.isDone() ? SupervisionTree.State.RUNNING : SupervisionTree.State.STARTING;
    }

    SupervisionTree.Supervision supervision() {
        return new SupervisionTree.Supervision(spec.strategy(), restarts.get());
    }

    boolean isTop() {
        return !Objects.requireNonNull(estate).hasHeir();
    }

    boolean isEnding() {
        return ending;
    }

    long nowNanos() {
        return Objects.requireNonNull(context).time().nanos() - beginNanos;
    }

    private Node node() {
        return Objects.requireNonNull(nodeContext).node();
    }

    private Pid self() {
        return Objects.requireNonNull(context).self();
    }

    private SupervisorChildren own() {
        return Objects.requireNonNull(children);
    }

    @Override
    public String toString() {
        return "Supervisor[" + spec + "]";
    }
}
