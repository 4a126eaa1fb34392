// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.ProcessRef;
import dev.treadle.SteppedScheduler;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The services of a node, under a supervisor at the top of it. */
final class ServiceRoot {
    private static final System.Logger LOG = System.getLogger("dev.treadle.node");

    /** How many turns a node that is stepped by hand gives its services to stop. */
    private static final int TURNS_MAX = 1_000_000;

    private final Node node;
    private final SupervisorSpec spec;
    private final Duration startTimeout;
    private @Nullable Supervisor supervisor;
    private @Nullable ProcessRef root;

    ServiceRoot(Node node, Collection<ServiceSpec> services, Duration startTimeout) {
        this.node = node;
        this.startTimeout = startTimeout;
        SupervisorSpec spec = SupervisorSpec.oneForOne();
        List<List<ServiceSpec>> waves = ServiceOrder.waves(services);
        for (int wave = 0; wave < waves.size(); wave++) {
            for (ServiceSpec service : waves.get(wave)) {
                spec = spec.child(service.child().wave(wave));
            }
        }
        this.spec = spec;
    }

    /** Starts them, and waits until they have started; if the node is stepped by hand, whoever steps it starts them. */
    void start() {
        if (spec.children().isEmpty()) {
            return;
        }
        Supervisor supervisor = Supervisor.of(spec);
        this.supervisor = supervisor;
        root = node.spawn(Spawn.of(() -> supervisor)).ref();
        var unused = root.result().whenComplete((result, thrown) -> {
            boolean hadStarted = !supervisor.started().isCompletedExceptionally(); // else start() throws
            if (thrown != null && hadStarted && !node.isClosed()) {
                LOG.log(node.level(Level.ERROR), "the services of node \"" + node.name() + "\" have ended", thrown);
            }
        });
        if (!node.isStepped()) {
            await(supervisor, startTimeout);
        }
    }

    /** Whoever steps the node by hand: lets its director take turns until the services have started. */
    void awaitDirected() {
        Supervisor supervisor = this.supervisor;
        if (supervisor == null) {
            return;
        }
        SteppedScheduler first =
                node.hosts().get(0).stepped(); // where the supervisor at the top is; the director turns all
        if (first != null) {
            first.awaitDirected(() -> supervisor.started().isDone(), startTimeout);
        }
        await(supervisor, Duration.ZERO);
    }

    private void await(Supervisor supervisor, Duration timeout) {
        try {
            supervisor.started().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new SupervisorStartException(
                    "the services of node \"" + node.name() + "\" did not start: see the cause", e.getCause());
        } catch (TimeoutException e) {
            throw new SupervisorStartException(
                    "the services of node \"" + node.name() + "\" did not start within " + startTimeout
                            + ": see which in the following, or allow more with serviceStartTimeout()"
                            + System.lineSeparator() + node.tree(),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SupervisorStartException(
                    "interrupted while the services of node \"" + node.name() + "\" started", e);
        }
    }

    /** Stops them in the reverse order, and waits until they have ended or the time is up. */
    void stop(Duration timeout) {
        ProcessRef root = this.root;
        if (root == null || supervisor == null || supervisor.started().isCompletedExceptionally()) {
            return; // there are none, or they have ended since one did not start
        }
        root.cancel("node \"" + node.name() + "\" is shutting down");
        if (node.isStepped()) {
            stopByHand(root, timeout);
            return;
        }
        try {
            root.result().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | CancellationException e) {
            LOG.log(Level.DEBUG, "the services of node \"" + node.name() + "\" did not stop in order", e);
        } catch (TimeoutException e) {
            LOG.log(
                    Level.WARNING,
                    "the services of node \"{0}\" did not stop within {1}: the hosts end what is left",
                    node.name(),
                    timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the hosts end what is left
        }
    }

    private void stopByHand(ProcessRef root, Duration timeout) {
        SteppedScheduler first = node.hosts().get(0).stepped();
        if (first != null && first.awaitDirected(() -> root.result().isDone(), timeout)) {
            return;
        }
        boolean ran = true;
        for (int turns = 0; ran && turns < TURNS_MAX && !root.result().isDone(); turns++) {
            ran = false;
            for (Host host : node.hosts()) {
                SteppedScheduler stepped = host.stepped();
                for (int worker = 0; stepped != null && worker < stepped.workers(); worker++) {
                    ran |= Objects.requireNonNull(stepped).runOne(worker);
                }
            }
        }
    }
}
