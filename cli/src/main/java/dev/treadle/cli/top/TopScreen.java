// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.top;

import dev.treadle.cli.Figures;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** Makes lines of what a dashboard says. */
final class TopScreen {
    private static final String ROW = "%-24s %-8s %-22s %-10s %12s %8s %6s %8s";

    private TopScreen() {}

    /** Returns always as many lines, so that each refresh covers the one before. */
    static List<String> lines(JsonNode overview, JsonNode processes, int rows) {
        var lines = new ArrayList<String>();
        JsonNode rates = overview.path("rates");
        JsonNode totals = overview.path("totals");
        JsonNode delay = overview.path("delay");
        lines.add("%s at %s: %s processes, %s started/s, %s ended/s"
                .formatted(
                        plain(overview.path("name").asString("")),
                        time(overview.path("time").asLong()),
                        Figures.exact(totals.path("alive").asLong()),
                        rate(rates, "starts"),
                        rate(rates, "ends")));
        lines.add("%s steps/s, %s messages/s, %s commands/s, %s steals/s, %s parks/s"
                .formatted(
                        rate(rates, "steps"),
                        rate(rates, "messages"),
                        rate(rates, "yields"),
                        rate(rates, "steals"),
                        rate(rates, "parks")));
        lines.add("ready to run: half within %s, 99 %% within %s, 99.9 %% within %s; %s dead letters"
                .formatted(
                        delay(delay, "p50"),
                        delay(delay, "p99"),
                        delay(delay, "p999"),
                        Figures.exact(totals.path("deadLetters").asLong())));
        for (JsonNode host : overview.path("hosts")) {
            lines.add(host(host));
        }
        lines.add("");
        lines.add(ROW.formatted("PROCESS", "STATE", "TYPE", "METHOD", "STEPS", "WAITING", "YIELDS", "AGE"));
        int shown = 0;
        for (JsonNode process : processes.path("processes")) {
            if (shown < rows) {
                lines.add(process(process));
                shown++;
            }
        }
        for (; shown < rows; shown++) {
            lines.add("");
        }
        return lines;
    }

    private static String host(JsonNode host) {
        var doing = new StringBuilder();
        for (JsonNode worker : host.path("workers")) {
            doing.append(doing.isEmpty() ? "" : ", ")
                    .append(worker.path("index").asInt())
                    .append(worker.path("spare").asBoolean() ? " (spare) " : " ")
                    .append(
                            worker.path("running").isString()
                                    ? plain(worker.path("running").asString())
                                    : plain(worker.path("activity").asString("?"))
                                            .toLowerCase(Locale.ROOT));
        }
        JsonNode states = host.path("states");
        return "%s: %s running, %s ready, %s blocked, %s idle; workers %s"
                .formatted(
                        plain(host.path("name").asString("")),
                        Figures.exact(states.path("RUNNING").asLong()),
                        Figures.exact(states.path("READY").asLong()),
                        Figures.exact(states.path("BLOCKED").asLong()),
                        Figures.exact(states.path("IDLE").asLong()),
                        doing);
    }

    private static String process(JsonNode process) {
        String name = process.path("names").path(0).asString(process.path("pid").asString(""));
        String type = process.path("type").asString("");
        return ROW.formatted(
                cut(name, 24),
                process.path("state").asString("").toLowerCase(Locale.ROOT),
                cut(type.substring(type.lastIndexOf('.') + 1), 22),
                cut(process.path("method").asString(""), 10),
                Figures.exact(process.path("steps").asLong()),
                Figures.exact(process.path("queue").asLong()),
                Figures.exact(process.path("yields").asLong()),
                age(Duration.ofMillis(process.path("ageMillis").asLong())));
    }

    private static String cut(String text, int length) {
        String plain = plain(text);
        return plain.length() <= length ? plain : plain.substring(0, length - 1) + "~";
    }

    /** Replaces all that a terminal could take for an order, or that has no place in a table. */
    static String plain(String text) {
        var plain = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            int type = Character.getType(c);
            boolean printed = type != Character.CONTROL
                    && type != Character.FORMAT
                    && type != Character.SURROGATE
                    && type != Character.PRIVATE_USE
                    && type != Character.UNASSIGNED
                    && type != Character.LINE_SEPARATOR
                    && type != Character.PARAGRAPH_SEPARATOR;
            plain.appendCodePoint(printed ? c : '?');
        });
        return plain.toString();
    }

    private static String rate(JsonNode rates, String name) {
        return Figures.rounded(Math.max(0, rates.path(name).asDouble()));
    }

    private static String delay(JsonNode delay, String name) {
        return Figures.delay(Duration.ofNanos(delay.path(name).asLong()));
    }

    private static String time(long epochMillis) {
        return LocalTime.ofInstant(Instant.ofEpochMilli(epochMillis), ZoneId.systemDefault())
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }

    private static String age(Duration age) {
        if (age.toMinutes() < 1) {
            return age.toSeconds() + " s";
        }
        if (age.toHours() < 1) {
            return age.toMinutes() + " min";
        }
        return age.toDays() < 1 ? age.toHours() + " h" : age.toDays() + " d";
    }
}
