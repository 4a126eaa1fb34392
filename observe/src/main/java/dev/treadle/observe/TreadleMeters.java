// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.ProcessInfo.State;
import dev.treadle.Scheduler;
import dev.treadle.node.Node;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Gives Micrometer the figures of a node, or of one scheduler: the same as the {@link Dashboard} has at {@code /metrics}. All
 * are tagged with {@code host}.
 *
 * <pre>{@code
 * new TreadleMeters(node).bindTo(registry);
 * }</pre>
 *
 * <p>Micrometer is an optional dependency: who uses this class has it already. Meters keep what they measure alive until the
 * registry is closed.
 */
public final class TreadleMeters implements MeterBinder {
    private static final double[] SHARES = {0.5, 0.99, 0.999};

    private final Subject subject;
    private final Paced<Sample> sample;
    private final StateCounts states;

    /** Takes the node to measure; hosts that are stopped when it is bound are measured once they run. */
    public TreadleMeters(Node node) {
        this(Subject.of(Objects.requireNonNull(node, "node is null: give what to measure")));
    }

    /** Takes the scheduler to measure. */
    public TreadleMeters(Scheduler scheduler) {
        this(Subject.of(Objects.requireNonNull(scheduler, "scheduler is null: give what to measure")));
    }

    private TreadleMeters(Subject subject) {
        this.subject = subject;
        this.sample = new Paced<>(() -> Sample.of(subject)); // one for all meters of a scrape
        this.states = new StateCounts(subject);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (String host : subject.hostNames()) {
            for (HostFigure figure : HostFigure.ALL) {
                ToDoubleFunction<TreadleMeters> value = meters -> meters.figure(host, figure::of);
                if (figure.isCounter()) {
                    FunctionCounter.builder(figure.meter(), this, value)
                            .tag("host", host)
                            .description(figure.help())
                            .register(registry);
                } else {
                    Gauge.builder(figure.meter(), this, value)
                            .tag("host", host)
                            .description(figure.help())
                            .strongReference(true)
                            .register(registry);
                }
            }
            bindStates(registry, host);
            bindDelays(registry, host);
        }
    }

    private void bindStates(MeterRegistry registry, String host) {
        for (State state : State.values()) {
            Gauge.builder(
                            "treadle.processes",
                            this,
                            meters -> meters.states.of(host).of(state))
                    .tag("host", host)
                    .tag("state", state.name().toLowerCase(Locale.ROOT))
                    .description("Processes that are alive, by state.")
                    .strongReference(true)
                    .register(registry);
        }
    }

    private void bindDelays(MeterRegistry registry, String host) {
        for (double share : SHARES) {
            TimeGauge.builder(
                            "treadle.ready.delay",
                            this,
                            TimeUnit.NANOSECONDS,
                            meters -> meters.figure(
                                    host,
                                    of -> of.stats()
                                            .readyDelay()
                                            .percentile(share)
                                            .toNanos()))
                    .tag("host", host)
                    .tag("quantile", Double.toString(share))
                    .description("Time from ready to running since the start, sampled: within a factor of two.")
                    .strongReference(true)
                    .register(registry);
        }
    }

    private double figure(String host, ToDoubleFunction<Sample.Host> figure) {
        Sample.Host found = sample.get().value().host(host);
        return found == null ? Double.NaN : figure.applyAsDouble(found);
    }
}
