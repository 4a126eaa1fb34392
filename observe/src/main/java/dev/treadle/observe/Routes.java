// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.Pid;
import dev.treadle.relay.Delivery;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Answers requests that passed the {@link Gate}. Any thread. */
final class Routes {
    static final String STREAM = "/api/stream";

    private final Subject subject;
    private final Sampler sampler;
    private final StateCounts states;
    private final Overview overview;
    private final ProcessPage processes;
    private final NodePages nodePages;
    private final @Nullable Incidents incidents;

    Routes(Subject subject, Sampler sampler, DashboardBuilder settings) {
        this.subject = subject;
        this.sampler = sampler;
        this.incidents = settings.incidents;
        this.states = new StateCounts(subject);
        this.overview = new Overview(subject, states, incidents, settings.control);
        this.processes = new ProcessPage(subject, new ProcessPages(subject), incidents, settings.tracer);
        this.nodePages = new NodePages(subject);
    }

    Overview overview() {
        return overview;
    }

    static boolean isSecret(String path) {
        return path.startsWith("/api/") || path.equals("/metrics");
    }

    /**
     * Answers a request.
     *
     * @throws BadRequestException if it makes no sense
     */
    Reply answer(String method, String path, Parameters parameters) {
        Reply reply = switch (method) {
            case "GET", "HEAD" -> get(path, parameters);
            case "POST" -> post(path, parameters);
            default ->
                Reply.problem(
                        Reply.METHOD_NOT_ALLOWED,
                        "the method was " + Text.shortened(method) + ", must be" + " GET, HEAD or POST");
        };
        return reply != null ? reply : Reply.problem(Reply.NOT_FOUND, "there is nothing at " + Text.shortened(path));
    }

    private @Nullable Reply get(String path, Parameters parameters) {
        return switch (path) {
            case "/api/overview" -> Reply.json(overview.json(sampler.history()));
            case "/api/incidents" -> Reply.json(overview.incidentsJson());
            case "/api/processes" -> Reply.json(processes.table(ProcessQuery.of(parameters)));
            case "/api/process" -> Reply.json(processes.one(parameters.pid()));
            case "/api/tree" -> Reply.json(nodePages.tree());
            case "/api/names" -> Reply.json(nodePages.names(parameters.text("q", "")));
            case "/api/group" -> Reply.json(nodePages.group(parameters.text("name", "")));
            case "/metrics" ->
                Reply.text(
                        Reply.OK,
                        PrometheusText.CONTENT_TYPE,
                        PrometheusText.of(Sample.of(subject), states, incidents));
            default -> Assets.find(path);
        };
    }

    private @Nullable Reply post(String path, Parameters parameters) {
        return switch (path) {
            case "/api/cancel" -> delivered(parameters.pid(), subject.cancel(parameters.pid(), reason(parameters)));
            case "/api/terminate" ->
                delivered(parameters.pid(), subject.terminate(parameters.pid(), reason(parameters)));
            default -> null;
        };
    }

    private static String reason(Parameters parameters) {
        String reason = parameters.text("reason", "").strip();
        return reason.isEmpty() ? "asked for on the dashboard" : reason;
    }

    private static Reply delivered(Pid pid, Delivery delivery) {
        return delivery.isDelivered()
                ? Reply.json(JsonWriter.object(json -> json.field("pid", pid.toString())
                        .field("delivery", delivery.name().toLowerCase(Locale.ROOT))))
                : Reply.problem(Reply.NOT_FOUND, "process " + pid + " is not alive: " + delivery);
    }
}
