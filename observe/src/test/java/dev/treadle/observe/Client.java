// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Talks to a dashboard as browsers and programs do. */
final class Client {
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final URI url;

    Client(Dashboard dashboard) {
        this.url = dashboard.url();
    }

    HttpResponse<String> send(String method, String path, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(url.resolve(path)).method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    JsonNode json(String path) {
        HttpResponse<String> response = send("GET", path);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(response.body());
    }

    /** The first lines of the stream of events. */
    List<String> stream(int lines) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(url.resolve("/api/stream")).build();
        try (Stream<String> read =
                http.send(request, HttpResponse.BodyHandlers.ofLines()).body()) {
            return read.limit(lines).collect(Collectors.toList());
        }
    }

    /** Opens a stream of events and waits for its first byte. */
    @SuppressWarnings("AddressSelection") // it is an address
    Socket openStream() throws IOException {
        var socket = new Socket(url.getHost(), url.getPort());
        socket.setSoTimeout(10_000);
        socket.getOutputStream()
                .write("GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        assertThat(socket.getInputStream().read()).isEqualTo('H');
        return socket;
    }

    /** Sends a head as it is, since the client of the JDK knows better what may stand in it; returns the status. */
    int raw(String... head) {
        try (var socket = new Socket(url.getHost(), url.getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write((String.join("\r\n", head) + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            var reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            return Integer.parseInt(reader.readLine().split(" ", 3)[1]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String encoded(Object text) {
        return URLEncoder.encode(text.toString(), StandardCharsets.UTF_8);
    }
}
