// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Scanner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChatRoomTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private ChatRoom room;

    @BeforeEach
    void open() throws IOException {
        room = new ChatRoom(0);
    }

    @AfterEach
    void close() {
        room.close();
    }

    @Test
    void whenSomebodySaysSomething_thenAllWhoAreInTheRoomReadIt() throws Exception {
        try (Scanner ada = join();
                Scanner alan = join()) {
            assertThat(say("Hello, all\nof you")).isEqualTo("heard by 2");

            assertThat(next(ada)).isEqualTo("data: Hello, all of you");
            assertThat(next(alan)).isEqualTo("data: Hello, all of you");
        }
    }

    @Test
    void whenManyLinesAreSaid_thenTheyAreReadInOrder() throws Exception {
        try (Scanner ada = join()) {
            for (int i = 0; i < 20; i++) {
                say("line " + i);
            }
            for (int i = 0; i < 20; i++) {
                assertThat(next(ada)).isEqualTo("data: line " + i);
            }
        }
    }

    @Test
    void whenAVisitorHasGone_thenTheOthersGoOnWithoutHim() throws Exception {
        try (Scanner ada = join()) {
            join().close();

            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(say("still here?")).isEqualTo("heard by 1"));
            assertThat(next(ada)).isEqualTo("data: still here?");
        }
    }

    @Test
    void whenThePageIsAskedFor_thenItIsThere() throws Exception {
        assertThat(client.send(HttpRequest.newBuilder(room.address()).build(), BodyHandlers.ofString())
                        .body())
                .contains("<title>Chat room</title>", "EventSource(\"/events\")");
    }

    /** Returns when the visitor is in the room. */
    private Scanner join() throws Exception {
        URI events = room.address().resolve("events");
        InputStream stream = client.send(HttpRequest.newBuilder(events).build(), BodyHandlers.ofInputStream())
                .body();
        var lines = new Scanner(stream, StandardCharsets.UTF_8);
        assertThat(next(lines)).isEqualTo("data: You are in the room.");
        return lines;
    }

    /** Events are separated by an empty line. */
    private static String next(Scanner lines) {
        String line = lines.nextLine();
        assertThat(lines.nextLine()).isEmpty();
        return line;
    }

    private String say(String line) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(room.address().resolve("say"))
                .POST(BodyPublishers.ofString(line))
                .build();
        return client.send(request, BodyHandlers.ofString()).body();
    }
}
