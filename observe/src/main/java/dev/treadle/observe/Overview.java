// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.DelayHistogram;
import dev.treadle.ProcessInfo.State;
import dev.treadle.WorkerInfo;
import dev.treadle.WorkerStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Writes the page of all that happens: rates, delays, workers, states, incidents. Any thread. */
final class Overview {
    static final Duration DELAY_WINDOW = Duration.ofSeconds(10);

    private static final double[] PERCENTILES = {0.5, 0.99, 0.999};
    private static final String[] PERCENTILE_NAMES = {"p50", "p99", "p999"};

    private final Subject subject;
    private final StateCounts states;
    private final @Nullable Incidents incidents;
    private final boolean control;

    /** Under the lock of this object: the last one written, since many may ask for the same. */
    private long writtenFor = -1;

    private String written = "";

    Overview(Subject subject, StateCounts states, @Nullable Incidents incidents, boolean control) {
        this.subject = subject;
        this.states = states;
        this.incidents = incidents;
        this.control = control;
    }

    synchronized String json(Sampler.History history) {
        if (history.taken() != writtenFor) {
            written = write(history);
            writtenFor = history.taken();
        }
        return written;
    }

    private String write(Sampler.History history) {
        Sample now = history.latest();
        Sample before = history.before();
        return JsonWriter.object(json -> {
            json.field("name", subject.name())
                    .field("isNode", subject.node() != null)
                    .field("time", now.epochMillis())
                    .field("control", control)
                    .field("totals", totals -> writeTotals(totals, now))
                    .field("rates", rates -> writeRates(rates, now, before))
                    .field("delay", delay -> writeDelay(delay, now, history.ago(DELAY_WINDOW)))
                    .objects("hosts", now.hosts(), (host, each) -> writeHost(host, each, now, before))
                    .field("history", charts -> writeHistory(charts, history))
                    .field("memory", Overview::writeMemory);
            Incidents incidents = this.incidents;
            if (incidents != null) {
                json.field(
                        "incidents",
                        log -> log.field("slowSteps", incidents.slowStepCount())
                                .field("failures", incidents.failureCount())
                                .field("deadLetters", incidents.deadLetterCount()));
            }
        });
    }

    /** Returns the latest incidents, with stacks. Apart from the rest, which is sent every second. */
    String incidentsJson() {
        Incidents incidents = this.incidents;
        return JsonWriter.object(json -> {
            json.field("heard", incidents != null);
            if (incidents != null) {
                json.objects("slowSteps", incidents.slowSteps(), Overview::writeIncident)
                        .objects("failures", incidents.failures(), Overview::writeIncident)
                        .objects("deadLetters", incidents.deadLetters(), Overview::writeIncident);
            }
        });
    }

    private static void writeTotals(JsonWriter json, Sample now) {
        json.field("steps", now.sum(host -> host.total().steps()))
                .field("events", now.sum(host -> host.total().events()))
                .field("messages", now.sum(Sample.Host::messages))
                .field("yields", now.sum(host -> host.total().yields()))
                .field("stealsTried", now.sum(host -> host.total().stealsTried()))
                .field("stealsWon", now.sum(host -> host.total().stealsWon()))
                .field("itemsStolen", now.sum(host -> host.total().itemsStolen()))
                .field("parks", now.sum(host -> host.total().parks()))
                .field("wakeUps", now.sum(host -> host.stats().wakeUps()))
                .field("submitted", now.sum(host -> host.stats().submitted()))
                .field("completed", now.sum(host -> host.stats().completed()))
                .field("alive", now.sum(Sample.Host::alive))
                .field("deadLetters", now.sum(host -> host.stats().deadLetters()))
                .field("lateAnswers", now.sum(host -> host.stats().lateAnswers()))
                .field("listenerFailures", now.sum(host -> host.stats().listenerFailures()));
    }

    private static void writeRates(JsonWriter json, Sample now, Sample before) {
        json.field("steps", now.rate(before, host -> host.total().steps()))
                .field("events", now.rate(before, host -> host.total().events()))
                .field("messages", now.rate(before, Sample.Host::messages))
                .field("yields", now.rate(before, host -> host.total().yields()))
                .field("steals", now.rate(before, host -> host.total().stealsWon()))
                .field("parks", now.rate(before, host -> host.total().parks()))
                .field("starts", now.rate(before, host -> host.stats().submitted()))
                .field("ends", now.rate(before, host -> host.stats().completed()))
                .field("deadLetters", now.rate(before, host -> host.stats().deadLetters()));
    }

    /** Delays are those of the last seconds: what was slow an hour ago is not what people look for. */
    private static void writeDelay(JsonWriter json, Sample now, Sample since) {
        DelayHistogram delays = now.delaysSince(since);
        json.field("windowSeconds", now.secondsSince(since)).field("count", delays == null ? 0 : delays.count());
        for (int i = 0; i < PERCENTILES.length; i++) {
            json.field(
                    PERCENTILE_NAMES[i],
                    delays == null ? 0 : delays.percentile(PERCENTILES[i]).toNanos());
        }
    }

    private void writeHost(JsonWriter json, Sample.Host host, Sample now, Sample before) {
        StateCounts.Counts counts = states.of(host.name());
        json.field("name", host.name())
                .field("alive", host.alive())
                .field("globalQueue", host.stats().globalQueueLength())
                .field("stateAgeMillis", counts.age().toMillis())
                .field("states", each -> {
                    for (State state : State.values()) {
                        each.field(state.name(), counts.of(state));
                    }
                });
        Sample.Host then = before.host(host.name());
        double seconds = now.secondsSince(before);
        var workers = new ArrayList<WorkerInfo>(host.workers());
        json.objects("workers", workers, (worker, info) -> writeWorker(worker, info, host, then, seconds));
    }

    private static void writeWorker(
            JsonWriter json, WorkerInfo info, Sample.Host host, Sample.@Nullable Host then, double seconds) {
        WorkerStats stats = stats(host, info.index());
        WorkerStats before = then == null ? null : stats(then, info.index());
        json.field("index", info.index())
                .field("spare", info.isSpare())
                .field("activity", info.activity().name())
                .field("running", info.running() == null ? null : info.running().toString());
        if (stats != null) {
            json.field("queue", stats.queueLength())
                    .field("steps", stats.steps())
                    .field("stepsPerSecond", rate(stats, before, seconds, WorkerStats::steps))
                    .field("steals", stats.stealsWon())
                    .field("stealsPerSecond", rate(stats, before, seconds, WorkerStats::stealsWon))
                    .field("parks", stats.parks())
                    .field("parksPerSecond", rate(stats, before, seconds, WorkerStats::parks));
        }
    }

    private static @Nullable WorkerStats stats(Sample.Host host, int index) {
        List<WorkerStats> workers = host.stats().workers();
        return index < workers.size() ? workers.get(index) : null;
    }

    private static double rate(
            WorkerStats now, @Nullable WorkerStats before, double seconds, ToLongFunction<WorkerStats> figure) {
        long happened = figure.applyAsLong(now) - (before == null ? 0 : figure.applyAsLong(before));
        return seconds <= 0 ? 0 : Math.max(0, happened) / seconds;
    }

    /** One entry for each second, the oldest first. */
    private static void writeHistory(JsonWriter json, Sampler.History history) {
        var samples = new ArrayList<>(history.samples());
        int size = samples.size() - 1;
        var steps = new double[size];
        var messages = new double[size];
        var alive = new double[size];
        var delay = new double[size];
        for (int i = 0; i < size; i++) {
            Sample before = samples.get(size - i);
            Sample sample = samples.get(size - i - 1);
            steps[i] = sample.rate(before, host -> host.total().steps());
            messages[i] = sample.rate(before, Sample.Host::messages);
            alive[i] = sample.sum(Sample.Host::alive);
            DelayHistogram delays = sample.delaysSince(before);
            delay[i] = delays == null ? 0 : delays.percentile(0.99).toNanos();
        }
        json.field("steps", steps)
                .field("messages", messages)
                .field("alive", alive)
                .field("delayP99", delay);
    }

    private static void writeMemory(JsonWriter json) {
        Runtime jvm = Runtime.getRuntime();
        json.field("used", jvm.totalMemory() - jvm.freeMemory()).field("max", jvm.maxMemory());
    }

    static void writeIncident(JsonWriter json, Incident incident) {
        json.field("time", incident.time().toEpochMilli())
                .field("pid", incident.pid().toString())
                .field("what", incident.what())
                .field("details", incident.details());
    }
}
