// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessInfo.State;
import dev.treadle.Scheduler;
import dev.treadle.SchedulerStats;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Metrics for Prometheus and Micrometer are the scheduler's own figures, in the form that these ask for. */
class MetricsTest {
    /** A line of a sample by the rules of the text format. */
    private static final Pattern SAMPLE = Pattern.compile(
            "([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{[a-z]+=\"[^\"\\\\\n]*\"(?:,[a-z]+=\"[^\"\\\\\n]*\")*})? ([-+.0-9eE]+)");

    private final Incidents incidents = new Incidents();
    private final Scheduler scheduler =
            Scheduler.builder().name("users").workers(2).listener(incidents).start();

    @BeforeEach
    void start() {
        for (int i = 0; i < 10; i++) {
            scheduler.submit(Process.of((events, out) -> out.idle()), "main").send("hello", null);
        }
        scheduler.send(Pid.of("users", 999), "lost", null);
        scheduler.submit(
                Process.of((events, out) -> {
                    throw new IllegalStateException("test");
                }),
                "main");
        await().until(() -> scheduler.stats().completed() == 1
                && scheduler.processes().allMatch(process -> process.state() == State.IDLE));
    }

    @AfterEach
    void close() {
        scheduler.close();
    }

    private static Map<String, Double> samples(String text) {
        var samples = new HashMap<String, Double>();
        for (String line : text.lines().toList()) {
            if (!line.startsWith("#")) {
                Matcher sample = SAMPLE.matcher(line);
                assertThat(sample.matches()).as("sample: %s", line).isTrue();
                String labels = sample.group(2) == null ? "" : sample.group(2);
                assertThat(samples.put(sample.group(1) + labels, Double.valueOf(sample.group(3))))
                        .as("given twice: %s", line)
                        .isNull();
            }
        }
        return samples;
    }

    @Test
    void prometheusGetsWhatTheSchedulerSays() {
        // A worker goes to sleep a while after its last step, and counts that.
        await().untilAsserted(this::assertPrometheusGetsWhatTheSchedulerSays);
    }

    private void assertPrometheusGetsWhatTheSchedulerSays() {
        try (Dashboard dashboard =
                Dashboard.of(scheduler).port(0).incidents(incidents).start()) {
            var response = new Client(dashboard).send("GET", "/metrics");
            Map<String, Double> samples = samples(response.body());

            SchedulerStats stats = scheduler.stats();
            assertThat(response.headers().firstValue("Content-Type"))
                    .hasValue("text/plain; version=0.0.4; charset=utf-8");
            assertThat(response.body()).endsWith("\n").doesNotContain("\r");
            assertThat(samples)
                    .containsEntry("treadle_steps_total{host=\"users\"}", (double)
                            stats.total().steps())
                    .containsEntry("treadle_events_total{host=\"users\"}", (double)
                            stats.total().events())
                    .containsEntry("treadle_messages_total{host=\"users\"}", (double) stats.messagesFromOutside())
                    .containsEntry("treadle_parks_total{host=\"users\"}", (double)
                            stats.total().parks())
                    .containsEntry("treadle_processes_started_total{host=\"users\"}", 11.0)
                    .containsEntry("treadle_processes_ended_total{host=\"users\"}", 1.0)
                    .containsEntry("treadle_processes_failed_total", 1.0)
                    .containsEntry("treadle_slow_steps_total", 0.0)
                    .containsEntry("treadle_dead_letters_total{host=\"users\"}", 1.0)
                    .containsEntry("treadle_processes{host=\"users\",state=\"idle\"}", 10.0)
                    .containsEntry("treadle_processes{host=\"users\",state=\"ready\"}", 0.0)
                    .containsEntry("treadle_ready_delay_seconds_count{host=\"users\"}", (double)
                            stats.readyDelay().count());
        }
    }

    /** Each family has its help and its type before its samples, once; buckets only grow. */
    @Test
    void prometheusGetsAFormThatItAccepts() {
        Sample sample = Sample.of(Subject.of(scheduler));
        String text = PrometheusText.of(sample, new StateCounts(Subject.of(scheduler)), incidents);

        var families = new HashSet<String>();
        String family = "";
        List<Double> buckets = new ArrayList<>();
        for (String line : text.lines().toList()) {
            if (line.startsWith("# HELP ")) {
                family = line.split(" ", -1)[2];
                assertThat(families.add(family)).as("told once: %s", family).isTrue();
            } else if (line.startsWith("# TYPE ")) {
                assertThat(line).matches("# TYPE " + family + " (counter|gauge|histogram)");
                assertThat(line.endsWith(" counter"))
                        .as("counters are named so: %s", line)
                        .isEqualTo(family.endsWith("_total"));
            } else {
                assertThat(line).startsWith(family);
                if (line.contains("_bucket{")) {
                    buckets.add(Double.valueOf(line.substring(line.lastIndexOf(' '))));
                }
            }
        }
        assertThat(families).hasSizeGreaterThan(15);
        assertThat(buckets).hasSize(26).isSorted();
        assertThat(buckets.get(25))
                .isEqualTo((double) scheduler.stats().readyDelay().count());
    }

    @Test
    void micrometerGetsTheSame() {
        var registry = new SimpleMeterRegistry();
        new TreadleMeters(scheduler).bindTo(registry);

        SchedulerStats stats = scheduler.stats();
        assertThat(registry.get("treadle.steps")
                        .tag("host", "users")
                        .functionCounter()
                        .count())
                .isEqualTo((double) stats.total().steps());
        assertThat(registry.get("treadle.dead.letters").functionCounter().count())
                .isEqualTo(1);
        assertThat(registry.get("treadle.processes")
                        .tag("state", "idle")
                        .gauge()
                        .value())
                .isEqualTo(10);
        assertThat(registry.get("treadle.workers").gauge().value()).isEqualTo(2);
        assertThat(registry.get("treadle.ready.delay")
                        .tag("quantile", "0.99")
                        .timeGauge()
                        .value(TimeUnit.NANOSECONDS))
                .isEqualTo((double) stats.readyDelay().percentile(0.99).toNanos());
        registry.close();
    }
}
