// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.DelayHistogram;
import dev.treadle.ProcessInfo.State;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Writes all figures in the text format of Prometheus, version 0.0.4. Any thread. */
final class PrometheusText {
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /** The shortest and the longest delay that has a bucket, as powers of two of nanoseconds: 1 µs and 17 s. */
    private static final int BUCKET_FIRST = 10;

    private static final int BUCKET_LAST = 34;

    private final StringBuilder out = new StringBuilder(4096);

    private PrometheusText() {}

    static String of(Sample sample, StateCounts states, @Nullable Incidents incidents) {
        var text = new PrometheusText();
        for (HostFigure figure : HostFigure.ALL) {
            text.family(figure.prometheusName(), figure.isCounter() ? "counter" : "gauge", figure.help());
            text.eachHost(sample, figure.prometheusName(), figure::of);
        }
        text.writeStates(sample, states);
        text.writeDelays(sample);
        if (incidents != null) {
            text.single("treadle_slow_steps_total", "Steps that held a worker too long.", incidents.slowStepCount());
            text.single("treadle_processes_failed_total", "Processes that threw.", incidents.failureCount());
        }
        return text.out.toString();
    }

    private void family(String name, String type, String help) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private void eachHost(Sample sample, String name, ToLongFunction<Sample.Host> figure) {
        for (Sample.Host host : sample.hosts()) {
            out.append(name)
                    .append(label(host))
                    .append("} ")
                    .append(figure.applyAsLong(host))
                    .append('\n');
        }
    }

    private void single(String name, String help, long value) {
        family(name, "counter", help);
        out.append(name).append(' ').append(value).append('\n');
    }

    private void writeStates(Sample sample, StateCounts states) {
        String name = "treadle_processes";
        family(name, "gauge", "Processes that are alive, by state.");
        for (Sample.Host host : sample.hosts()) {
            StateCounts.Counts counts = states.of(host.name());
            for (State state : State.values()) {
                out.append(name)
                        .append(label(host))
                        .append(",state=\"")
                        .append(state.name().toLowerCase(Locale.ROOT))
                        .append("\"} ")
                        .append(counts.of(state))
                        .append('\n');
            }
        }
    }

    private void writeDelays(Sample sample) {
        String name = "treadle_ready_delay_seconds";
        family(name, "histogram", "Time from ready to running, sampled; the sum is estimated from the buckets.");
        for (Sample.Host host : sample.hosts()) {
            DelayHistogram delays = host.stats().readyDelay();
            long[] counts = delays.counts();
            long below = 0;
            double sum = 0;
            for (int bucket = 0; bucket < counts.length; bucket++) {
                below += counts[bucket];
                sum += counts[bucket] * Math.pow(2, bucket) * 1.5e-9;
                if (bucket >= BUCKET_FIRST && bucket <= BUCKET_LAST) {
                    bucket(name, host, Double.toString(Math.pow(2, bucket + 1) / 1e9), below);
                }
            }
            bucket(name, host, "+Inf", below);
            out.append(name)
                    .append("_sum")
                    .append(label(host))
                    .append("} ")
                    .append(sum)
                    .append('\n');
            out.append(name)
                    .append("_count")
                    .append(label(host))
                    .append("} ")
                    .append(below)
                    .append('\n');
        }
    }

    private void bucket(String name, Sample.Host host, String bound, long below) {
        out.append(name)
                .append("_bucket")
                .append(label(host))
                .append(",le=\"")
                .append(bound)
                .append("\"} ")
                .append(below)
                .append('\n');
    }

    /** The name of a host has no character that would need to be escaped: {@link dev.treadle.Pid} sees to it. */
    private static String label(Sample.Host host) {
        return "{host=\"" + host.name() + '"';
    }
}
