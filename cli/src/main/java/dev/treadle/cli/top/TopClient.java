// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.top;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks a dashboard. One thread. */
final class TopClient {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final URI dashboard;
    private final @Nullable String token;

    TopClient(URI dashboard, @Nullable String token) {
        this.dashboard = dashboard;
        this.token = token;
    }

    /** Returns the figures of all. */
    JsonNode overview() throws InterruptedException {
        return get("/api/overview");
    }

    /** Returns the first processes by some order; the largest first, except for texts. */
    JsonNode processes(TopSort sort, int rows, String search) throws InterruptedException {
        return get("/api/processes?sort=" + sort.name() + "&desc=" + sort.isLargestFirst() + "&limit=" + rows + "&q="
                + URLEncoder.encode(search, StandardCharsets.UTF_8));
    }

    private JsonNode get(String path) throws InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(dashboard.resolve(path)).timeout(PATIENCE);
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<String> response;
        try {
            response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(
                    "no dashboard answers at " + dashboard + " (" + said(e)
                            + "): start one with Dashboard.of(node).start(), or say where it is with --connect HOST:PORT",
                    e);
        }
        JsonNode json = read(response.body());
        if (response.statusCode() == 401) {
            throw new IllegalStateException("the dashboard at " + dashboard
                    + " asks for a token, and this is not it: give it with --token, or in TREADLE_TOKEN");
        }
        if (response.statusCode() != 200) {
            throw new IllegalStateException("the dashboard at " + dashboard + " refused with " + response.statusCode()
                    + ": " + TopScreen.plain(json.path("problem").asString("it does not say why")));
        }
        return json;
    }

    private JsonNode read(String body) {
        try {
            return JsonMapper.shared().readTree(body);
        } catch (JacksonException e) {
            throw new IllegalStateException(
                    "what answers at " + dashboard + " is not a dashboard: look at --connect HOST:PORT", e);
        }
    }

    private static String said(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
