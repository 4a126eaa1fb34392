// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * A figure of a host that is published as a metric.
 *
 * @param meter its name, which does not change
 * @param isCounter whether it only grows; else it goes up and down
 */
record HostFigure(String meter, boolean isCounter, String help, ToLongFunction<Sample.Host> figure) {
    static final List<HostFigure> ALL = List.of(
            counter("steps", "Steps that were run.", host -> host.total().steps()),
            counter(
                    "events",
                    "Events that were handed to steps.",
                    host -> host.total().events()),
            counter("messages", "Messages that were sent.", Sample.Host::messages),
            counter(
                    "yields",
                    "Commands that were dispatched.",
                    host -> host.total().yields()),
            counter(
                    "steals.tried",
                    "Looks into another worker's deque.",
                    host -> host.total().stealsTried()),
            counter(
                    "steals.won",
                    "Looks that found something.",
                    host -> host.total().stealsWon()),
            counter(
                    "items.stolen",
                    "Processes that changed their worker that way.",
                    host -> host.total().itemsStolen()),
            counter(
                    "parks",
                    "Times a worker went to sleep.",
                    host -> host.total().parks()),
            counter(
                    "wake.ups",
                    "Times a sleeping worker was woken.",
                    host -> host.stats().wakeUps()),
            counter(
                    "processes.started",
                    "Processes that were started.",
                    host -> host.stats().submitted()),
            counter(
                    "processes.ended",
                    "Processes that have ended.",
                    host -> host.stats().completed()),
            counter(
                    "dead.letters",
                    "Messages that nobody got.",
                    host -> host.stats().deadLetters()),
            counter(
                    "late.answers",
                    "Answers to commands that came twice, too late, or after the end.",
                    host -> host.stats().lateAnswers()),
            counter(
                    "listener.failures",
                    "Times a listener or a close threw.",
                    host -> host.stats().listenerFailures()),
            gauge(
                    "global.queue.length",
                    "Ready processes in the global queue.",
                    host -> host.stats().globalQueueLength()),
            gauge(
                    "worker.queue.length",
                    "Ready processes in the workers' queues.",
                    host -> host.total().queueLength()),
            gauge(
                    "workers",
                    "Workers, spare ones that are or were in use included.",
                    host -> host.workers().size()));

    private static HostFigure counter(String name, String help, ToLongFunction<Sample.Host> figure) {
        return new HostFigure("treadle." + name, true, help, figure);
    }

    private static HostFigure gauge(String name, String help, ToLongFunction<Sample.Host> figure) {
        return new HostFigure("treadle." + name, false, help, figure);
    }

    long of(Sample.Host host) {
        return figure.applyAsLong(host);
    }

    /** Returns the name by the rules of Prometheus. */
    String prometheusName() {
        return meter.replace('.', '_') + (isCounter ? "_total" : "");
    }
}
