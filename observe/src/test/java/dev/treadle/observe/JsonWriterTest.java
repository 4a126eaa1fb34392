// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the writer writes, a reader of somebody else's reads. */
class JsonWriterTest {
    private static final JsonMapper JSON = JsonMapper.shared();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "\"quoted\" and \\ back",
                "</script><script>alert(1)</script>",
                "<!-- & ' -->",
                "line\nfeed\ttab\r\b\f",
                "nul \u0000 and del \u007f",
                "separators \u2028 \u2029",
                "ünïcödé 漢字 😀"
            })
    void anyTextComesBackAsItWas(String text) {
        String json = JsonWriter.object(object -> object.field("text", text).field(text, 1));

        JsonNode read = JSON.readTree(json);

        assertThat(read.get("text").asString()).isEqualTo(text);
        assertThat(read.get(text).asInt()).isEqualTo(1);
        assertThat(json).doesNotContain("<", ">", "&", "'", "\u2028", "\u0000", "\n");
    }

    @Test
    void halfOfASurrogatePairIsReplaced() {
        String json =
                JsonWriter.object(object -> object.field("text", List.of("a\ud83d", "\ude00b", "\ud83d\ud83d\ude00")));

        assertThat(JSON.readTree(json).get("text"))
                .extracting(JsonNode::asString)
                .containsExactly("a\ufffd", "\ufffdb", "\ufffd😀");
    }

    @Test
    void numbersNullsAndNestingAreRight() {
        String json = JsonWriter.object(object -> object.field("long", Long.MIN_VALUE)
                .field("double", 1.5)
                .field("nan", Double.NaN)
                .field("infinite", Double.POSITIVE_INFINITY)
                .field("none", (String) null)
                .field("yes", true)
                .field("numbers", new double[] {1.4, 2.6})
                .field("no numbers", new double[0])
                .field("empty", nothing -> {})
                .objects(
                        "list",
                        List.of(1, 2),
                        (each, number) -> each.field("number", number).field("texts", List.of()))
                .field("last", 7));

        JsonNode read = JSON.readTree(json);

        assertThat(read.get("long").asLong()).isEqualTo(Long.MIN_VALUE);
        assertThat(read.get("double").asDouble()).isEqualTo(1.5);
        assertThat(read.get("nan").isNull()).isTrue();
        assertThat(read.get("infinite").isNull()).isTrue();
        assertThat(read.get("none").isNull()).isTrue();
        assertThat(read.get("yes").asBoolean()).isTrue();
        assertThat(read.get("numbers")).extracting(JsonNode::asInt).containsExactly(1, 3);
        assertThat(read.get("no numbers")).isEmpty();
        assertThat(read.get("empty")).isEmpty();
        assertThat(read.get("list").get(1).get("number").asInt()).isEqualTo(2);
        assertThat(read.get("last").asInt()).isEqualTo(7);
    }
}
