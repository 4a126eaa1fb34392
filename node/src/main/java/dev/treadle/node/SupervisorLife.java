// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Pid;
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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What a {@link Supervisor} does, from its init to its close. */
final class SupervisorLife {
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

    /** How long it waits at the least for a name that is taken: to try again at once would only keep a worker busy. */
    static final Duration NAME_PAUSE = Duration.ofMillis(10);

    private static final String WAKE_TOPIC = "treadle.supervisor.wake";

    private final SupervisorSpec spec;
    private final CompletableFuture<@Nullable Void> started;
    private final ProcessContext context;
    private final Node node;
    private final NodeContext nodeContext;
    private final @Nullable SupervisorLife above;
    private final SupervisorEstate estate;
    private final SupervisorChildren children;
    private final SupervisorRequests requests;
    private final RestartWindow window;
    private final long beginNanos;

    // Others touch these too.
    private final AtomicLong restarts = new AtomicLong();
    private final Set<Pid> startedBelow = ConcurrentHashMap.newKeySet();

    private boolean begun;
    private int initialLeft;
    private boolean ending;
    private @Nullable RuntimeException failure;
    private @Nullable ProcessTimer wake;
    private long wakeNanos;

    SupervisorLife(SupervisorSpec spec, CompletableFuture<@Nullable Void> started, ProcessContext context) {
        this.spec = spec;
        this.started = started;
        this.context = context;
        nodeContext = NodeContext.of(context);
        node = nodeContext.node();
        above = node.supervisors().find(context.parent());
        estate = new SupervisorEstate(above == null ? null : above.estate);
        children = new SupervisorChildren(estate);
        requests = new SupervisorRequests(this, context, children);
        window = new RestartWindow(spec.intensity(), spec.period().toNanos());
        beginNanos = context.time().nanos();
    }

    void step(Events events, StepOutput out) {
        if (!begun) {
            begun = true;
            for (ChildSpec child : spec.children()) {
                SupervisorChild added = children.add(child);
                added.isInitial = true;
                initialLeft++;
                children.startAt(added, 0);
            }
        }
        for (Event event : events) {
            if (event instanceof Signal signal) {
                onSignal(signal);
            } else if (event instanceof Message message && message.payload() instanceof SupervisorRequest request) {
                requests.handle(message, request);
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
        SupervisorChild child = children.ended(signal);
        if (child == null || exit == null) {
            return;
        }
        if (exit.pid().equals(child.pid())) {
            noteStarted(child);
            startedBelow.remove(exit.pid()); // of a supervisor that was not waited for
            child.exit = exit;
            child.show(SupervisionTree.State.STOPPING, null);
        }
        for (Pid left : estate.take(exit.pid())) {
            children.watch(
                    child, node.monitor(context.self(), left).ref(), left); // if it is dead, the next step hears of it
        }
        if (!child.isAlive()) {
            ended(child, Objects.requireNonNullElse(child.exit, exit));
        }
    }

    private void goOn(StepOutput out) {
        noteStarted();
        // One reading for both: who is not yet due by it gets a timer by it. A second, later one could find him due.
        long now = nowNanos();
        boolean more = !ending && startDue(now);
        tellStarted();
        stopNext();
        if (ending && children.nextToStop() == null) {
            if (failure != null) {
                throw failure;
            }
            out.done();
        } else if (more) {
            out.again();
        } else {
            setWake(now);
            out.idle();
        }
    }

    // Starting.

    /** Starts who is due; true if there are more. */
    private boolean startDue(long now) {
        int starts = 0;
        for (SupervisorChild child = children.nextToStart(); child != null; child = children.nextToStart()) {
            if (child.startNanos > now || isHeldUp(child)) {
                return false;
            }
            if (++starts > STARTS_PER_STEP_MAX) {
                return true;
            }
            children.dropStart(child);
            if (!start(child)) {
                return true; // others may have their turn before it is tried again
            }
        }
        return false;
    }

    /** Whether a child must wait for others to have ended or started. */
    private boolean isHeldUp(SupervisorChild child) {
        boolean isFree = spec.strategy() == SupervisorStrategy.ONE_FOR_ONE;
        if (!isFree && children.nextToStop() != null) {
            return true;
        }
        if (isFree && initialLeft == 0) {
            return false;
        }
        return children.starting().stream().anyMatch(other -> other.wave != child.wave);
    }

    private boolean start(SupervisorChild child) {
        Spawned spawned;
        try {
            spawned = nodeContext.spawnMonitored(child.spec.spawn());
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable thrown) {
            startFailed(child, thrown, 0);
            return false;
        }
        Monitor monitor = Objects.requireNonNull(spawned.monitor());
        if (!spawned.isNew()) {
            node.demonitor(monitor);
            startFailed(
                    child,
                    new IllegalStateException("child \"" + child.spec.id() + "\" of supervisor " + context.self()
                            + " was not started, since its name \""
                            + child.spec.spawn().name() + "\" belongs to "
                            + spawned.pid() + ": end that one, or give the child a name of its own"),
                    NAME_PAUSE.toNanos());
            return false;
        }
        child.exit = null;
        child.startedNanos = nowNanos();
        child.isKeptStopped = false;
        if (!children.watch(child, monitor.ref(), spawned.pid())) {
            node.terminate(spawned.pid(), "its supervisor " + context.self() + " has ended");
            return false;
        }
        child.show(
                child.spec.isSupervisor() ? SupervisionTree.State.STARTING : SupervisionTree.State.RUNNING,
                spawned.pid());
        if (child.spec.isSupervisor()) {
            children.starting().add(child);
        } else {
            running(child);
        }
        return true;
    }

    /** Looks which children that are supervisors have started all of their own. Their message that they have may get lost. */
    private void noteStarted() {
        List.copyOf(children.starting()).forEach(this::noteStarted);
    }

    private void noteStarted(SupervisorChild child) {
        Pid pid = child.pid();
        if (pid != null && startedBelow.remove(pid) && children.starting().remove(child) && !child.isStopTold) {
            child.show(SupervisionTree.State.RUNNING);
            running(child);
        }
    }

    /** Once all that were there from the beginning have been started. */
    private void tellStarted() {
        Pid parent = context.parent();
        if (!ending && initialLeft == 0 && started.complete(null) && above != null && parent != null) {
            above.startedBelow.add(context.self());
            node.send(parent, WAKE_TOPIC, null);
        }
    }

    private void running(SupervisorChild child) {
        if (child.isRestart) {
            child.countRestart();
            child.isRestart = false;
        }
        child.wasStarted = true;
        noLongerInitial(child);
        requests.started(child);
    }

    void noLongerInitial(SupervisorChild child) {
        if (child.isInitial) {
            child.isInitial = false;
            initialLeft--;
        }
    }

    private void startFailed(SupervisorChild child, Throwable reason, long leastNanos) {
        child.show(SupervisionTree.State.STOPPING, null); // not yet STOPPED: who reads that may think that all is over
        if (node.isClosed() || !node.host(context.self().host()).isRunning()) {
            stopAll(); // nothing can be started any more
        } else if (requests.startFailed(child, reason)) {
            LOG.log(Level.DEBUG, "supervisor {0}: child \"{1}\" did not start", context.self(), child.spec.id());
        } else if (child.isInitial) {
            failure = new SupervisorStartException(
                    "supervisor " + context.self() + " did not start, since its child \"" + child.spec.id()
                            + "\" did not: see the cause",
                    reason);
            stopAll();
        } else {
            restart(child, reason, false, leastNanos);
        }
    }

    // Ends.

    private void ended(SupervisorChild child, ProcessExit exit) {
        boolean wanted = child.isStopWanted;
        boolean wasStarting = children.starting().remove(child);
        children.dropStop(child);
        if (ending) {
            child.show(SupervisionTree.State.STOPPING, null);
        } else if (wanted) {
            requests.stopped(child);
        } else if (wasStarting) {
            Throwable reason = exit.reason();
            startFailed(child, reason == null ? new IllegalStateException(exit + " before it had started") : reason, 0);
        } else if (child.spec.restart().isDueAfter(exit)) {
            restart(child, exit.reason(), true, 0);
        } else if (child.spec.restart() == Restart.TEMPORARY) {
            children.forget(child);
        } else {
            child.show(SupervisionTree.State.STOPPED, null);
        }
    }

    /** Counts a restart, and plans it: for the child that ended or did not start, and for those that go with it. */
    private void restart(SupervisorChild child, @Nullable Throwable reason, boolean hasRun, long leastNanos) {
        restarts.incrementAndGet();
        if (!window.admit(nowNanos())) {
            failure = new RestartIntensityException(
                    context.self(), child.spec.id(), spec.intensity(), spec.period(), reason);
            LOG.log(node.level(Level.WARNING), failure.getMessage());
            stopAll();
            return;
        }
        Backoff backoff = child.spec.backoffOr(spec.backoff());
        if (hasRun && backoff.isStable(nowNanos() - child.startedNanos)) {
            child.failures = 0;
        }
        long delay = Math.max(leastNanos, backoff.delayNanos(child.failures++, context.random()));
        LOG.log(
                Level.DEBUG,
                "supervisor {0}: child \"{1}\" is restarted in {2} ns",
                context.self(),
                child.spec.id(),
                delay);
        child.isRestart = true;
        startAt(child, nowNanos() + delay);
        for (SupervisorChild other : children.group(spec.strategy(), child)) {
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
                children.stopInOrder(other, SupervisorChild.Next.START);
            }
        } else if (children.dropStart(other)) {
            children.startAt(other, nanos);
        } else if (!other.isKeptStopped) {
            other.isRestart = true;
            children.startAt(other, nanos);
        }
    }

    /** Plans a start. With groups nobody overtakes those who wait. */
    void startAt(SupervisorChild child, long nanos) {
        children.dropStart(child);
        boolean isFree = spec.strategy() == SupervisorStrategy.ONE_FOR_ONE;
        children.startAt(child, isFree ? nanos : children.notBeforeOthers(nanos));
    }

    // Stopping.

    private void stopAll() {
        if (ending) {
            return;
        }
        ending = true;
        children.dropStarts();
        for (SupervisorChild child : children.all()) {
            if (child.isAlive()) {
                children.stopInOrder(child, SupervisorChild.Next.KEEP);
            }
        }
    }

    private void stopNext() {
        SupervisorChild child = children.nextToStop();
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
        String reason = "stopped by its supervisor " + context.self();
        if (child.spec.isBrutal()) {
            node.terminate(pid, reason);
        } else if (timeout == null) {
            node.cancel(pid, reason);
        } else {
            node.cancel(pid, reason, timeout);
        }
    }

    private void setWake(long now) {
        SupervisorChild next = children.nextToStart();
        boolean needed = next != null && !ending && next.startNanos > now;
        if (wake != null && (!needed || wakeNanos != Objects.requireNonNull(next).startNanos)) {
            wake.cancel();
            wake = null;
        }
        if (needed && wake == null) {
            wakeNanos = Objects.requireNonNull(next).startNanos;
            wake = context.timers().after(Duration.ofNanos(wakeNanos - now), WAKE_TOPIC, null);
        }
    }

    /** The supervisor has ended, in whatever way: ends the children that live. */
    void close() {
        node.supervisors().remove(context.self());
        var end = new IllegalStateException(
                "supervisor " + context.self() + " ended before all of its children had started");
        if (failure != null) {
            end.initCause(failure);
        }
        started.completeExceptionally(end);
        for (Pid left : estate.close(context.self(), children.all())) {
            node.terminate(left, "its supervisor " + context.self() + " has ended");
        }
    }

    // For the parts of the node. Any thread.

    Collection<SupervisorChild> children() {
        return children.all();
    }

    SupervisionTree.State state() {
        return started.isDone() ? SupervisionTree.State.RUNNING : SupervisionTree.State.STARTING;
    }

    SupervisionTree.Supervision supervision() {
        return new SupervisionTree.Supervision(spec.strategy(), restarts.get());
    }

    boolean isTop() {
        return above == null;
    }

    // For the requests.

    List<SupervisionTree.Entry> entries() {
        return node.supervisors().entriesOf(this);
    }

    boolean isEnding() {
        return ending;
    }

    long nowNanos() {
        return context.time().nanos() - beginNanos;
    }
}
