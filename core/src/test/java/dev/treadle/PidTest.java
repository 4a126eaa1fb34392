// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.fail;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PidTest {
    private static final String LONGEST_NAME = "n".repeat(Pid.NAME_LENGTH_MAX);

    static List<Pid> pids() {
        return List.of(
                Pid.of("main", 1),
                Pid.of("main", Long.MAX_VALUE),
                Pid.of("a", 9),
                Pid.of(LONGEST_NAME, 10),
                Pid.of("A-Z_0.9", 42),
                Pid.of("-", 1),
                Pid.of("node", "host", 7),
                Pid.of(LONGEST_NAME, LONGEST_NAME, 1L << 56));
    }

    @Nested
    class GivenAPid {
        @Test
        void whenPrinted_thenItsTextIsHostAndId() {
            assertThat(Pid.of("main", 42)).hasToString("{main|42}");
            assertThat(Pid.of("far", "main", 42)).hasToString("{far@main|42}");
        }

        @Test
        void whenAsked_thenItTellsItsParts() {
            Pid pid = Pid.of("far", "main", 42);
            assertThat(pid.node()).isEqualTo("far");
            assertThat(pid.host()).isEqualTo("main");
            assertThat(pid.id()).isEqualTo(42);
            assertThat(Pid.of("main", 42).node()).isNull();
        }

        @ParameterizedTest
        @MethodSource("dev.treadle.PidTest#pids")
        void whenPrintedAndParsed_thenItIsTheSame(Pid pid) {
            Pid parsed = Pid.parse(pid.toString());

            assertThat(parsed).isEqualTo(pid).hasSameHashCodeAs(pid).hasToString(pid.toString());
            assertThat(parsed).isEqualByComparingTo(pid);
            assertThat(parsed.node()).isEqualTo(pid.node());
            assertThat(parsed.host()).isEqualTo(pid.host());
            assertThat(parsed.id()).isEqualTo(pid.id());
        }

        @Test
        void whenCompared_thenAllPartsCount() {
            Pid pid = Pid.of("n", "h", 5);
            for (Pid other : List.of(Pid.of("m", "h", 5), Pid.of("n", "g", 5), Pid.of("n", "h", 4), Pid.of("h", 5))) {
                assertThat(pid).isNotEqualTo(other).isGreaterThan(other);
                assertThat(other).isLessThan(pid);
            }
            assertThat(pid).isEqualTo(Pid.of("n", "h", 5)).isNotEqualTo(null).isNotEqualTo("{n@h|5}");
            assertThat(Pid.of("h", 10)).as("by number, not by text").isGreaterThan(Pid.of("h", 9));
        }

        @Test
        void whenAProcessHasIt_thenItIsEqualToTheOneParsed() {
            try (SteppedScheduler stepped = Scheduler.builder().stepped()) {
                Pid self = stepped.scheduler()
                        .submit(TrackedProcess.idle(), "main")
                        .pid();
                assertThat(Pid.parse(self.toString())).isEqualTo(self).hasSameHashCodeAs(self);
            }
        }
    }

    @Nested
    class GivenABadPart {
        private static final String NAME_RULE = ", must be 1 to 64 of the characters a-z A-Z 0-9 . _ -: rename it";

        @ParameterizedTest
        @ValueSource(strings = {"", " ", "a b", "a|b", "a@b", "{a}", "ä", "a\n", "a/b", "\0", "😀"})
        void whenANameHasOtherCharacters_thenItIsRefused(String name) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Pid.of(name, 1))
                    .withMessage("host was \"" + name + "\"" + NAME_RULE);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Pid.of(name, "main", 1))
                    .withMessage("node was \"" + name + "\"" + NAME_RULE);
        }

        @Test
        void whenANameIsOneTooLong_thenItIsRefusedAndShownInPart() {
            assertThat(Pid.of(LONGEST_NAME, 1).host()).hasSize(64);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Pid.of(LONGEST_NAME + "x", 1))
                    .withMessage("host was \"" + LONGEST_NAME + "…\"" + NAME_RULE);
        }

        @ParameterizedTest
        @ValueSource(longs = {0, -1, Long.MIN_VALUE})
        void whenTheIdIsNotPositive_thenItIsRefused(long id) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Pid.of("main", id))
                    .withMessage("id was " + id + ", must be positive: ids count from 1");
        }

        @Test
        void whenAPartIsNull_thenItIsRefused() {
            assertThatNullPointerException()
                    .isThrownBy(() -> Pid.of(null, 1))
                    .withMessage("host is null: give it a name such as \"main\"");
            assertThatNullPointerException()
                    .isThrownBy(() -> Pid.of(null, "main", 1))
                    .withMessage("node is null: give it a name such as \"main\"");
            assertThatNullPointerException()
                    .isThrownBy(() -> Pid.parse(null))
                    .withMessage("text is null: give a pid such as {main|42}");
        }
    }

    @Nested
    class GivenABadText {
        static final String SHAPE = "it must look like {host|id} or {node@host|id}";
        static final String DIGITS = "the id must be a positive number in plain digits";

        static Stream<Arguments> badTexts() {
            return Stream.of(
                    Arguments.of("", SHAPE),
                    Arguments.of("main|1", SHAPE),
                    Arguments.of("{main|1", SHAPE),
                    Arguments.of("main|1}", SHAPE),
                    Arguments.of("{main}", SHAPE),
                    Arguments.of("{}", SHAPE),
                    Arguments.of(" {main|1}", SHAPE),
                    Arguments.of("{main|1} ", SHAPE),
                    Arguments.of("{main|1@2}", "the @ stands between node and host"),
                    Arguments.of("{main|}", DIGITS),
                    Arguments.of("{main|0}", DIGITS),
                    Arguments.of("{main|01}", DIGITS),
                    Arguments.of("{main|-1}", DIGITS),
                    Arguments.of("{main|+1}", DIGITS),
                    Arguments.of("{main| 1}", DIGITS),
                    Arguments.of("{main|1 }", DIGITS),
                    Arguments.of("{main|1.0}", DIGITS),
                    Arguments.of("{main|0x1}", DIGITS),
                    Arguments.of("{main|١}", DIGITS),
                    Arguments.of("{main|9223372036854775808}", "the id must be at most 9223372036854775807"),
                    Arguments.of("{main|" + "9".repeat(100) + "}", "the id must be at most 9223372036854775807"),
                    Arguments.of("{|1}", "host was \"\", must be"),
                    Arguments.of("{|}", DIGITS),
                    Arguments.of("{@main|1}", "node was \"\", must be"),
                    Arguments.of("{node@|1}", "host was \"\", must be"),
                    Arguments.of("{@|1}", "node was \"\", must be"),
                    Arguments.of("{a@b@c|1}", "host was \"b@c\", must be"),
                    Arguments.of("{a|b|1}", "host was \"a|b\", must be"),
                    Arguments.of("{{a|1}", "host was \"{a\", must be"),
                    Arguments.of("{a}|1}", "host was \"a}\", must be"),
                    Arguments.of("{mäin|1}", "host was \"mäin\", must be"));
        }

        /** Value, rule and remedy are in the message. */
        @ParameterizedTest
        @MethodSource("badTexts")
        void whenParsed_thenTheMessageShowsTheTextTheRuleAndTheRemedy(String text, String rule) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Pid.parse(text))
                    .withMessageStartingWith("pid was \"" + text + "\", " + rule)
                    .withMessageEndingWith(": pass a text that Pid.toString() wrote, such as {main|42}");
        }

        @Test
        void whenItIsVeryLong_thenTheMessageShowsItsBeginning() {
            String text = "{" + "x".repeat(1_000_000) + "|1}";
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Pid.parse(text))
                    .satisfies(e -> assertThat(e.getMessage())
                            .startsWith("pid was \"{" + "x".repeat(199) + "…\", host was \"")
                            .hasSizeLessThan(500));
        }
    }

    /** Whatever the text: a Pid that prints as that very text, or an IllegalArgumentException; nothing else. */
    @Test
    void whateverTheText_thenItIsReadExactlyOrRefused() {
        long seed = System.nanoTime();
        var random = new SplittableRandom(seed);
        int read = 0;
        for (int i = 0; i < 50_000; i++) {
            String text = i % 2 == 0 ? randomText(random) : mutated(random);
            try {
                String printed = Pid.parse(text).toString();
                if (!printed.equals(text)) {
                    fail("read \"%s\" as \"%s\", seed %d", text, printed, seed);
                }
                read++;
            } catch (IllegalArgumentException refused) {
                if (!refused.getMessage().startsWith("pid was \"")) {
                    fail("wrong words, seed " + seed, refused);
                }
            } catch (RuntimeException other) {
                fail("seed " + seed + ", text \"" + text + "\"", other);
            }
        }
        assertThat(read).as("some mutants are valid, seed %d", seed).isBetween(100, 49_900);
    }

    private static String randomText(SplittableRandom random) {
        String alphabet = "{}|@{}|@0123456789abcXYZ._- \0\u00e4\u0661\ud83d\uffff";
        var text = new StringBuilder();
        int length = random.nextInt(12);
        for (int i = 0; i < length; i++) {
            text.append(
                    random.nextInt(10) == 0
                            ? (char) random.nextInt(1 << 16)
                            : alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    /** A valid text with up to three characters changed, put in, taken out or doubled. */
    private static String mutated(SplittableRandom random) {
        List<Pid> pids = pids();
        var text = new StringBuilder(pids.get(random.nextInt(pids.size())).toString());
        String alphabet = "{}|@0123456789a- \u00e4";
        for (int mutations = random.nextInt(4); mutations > 0; mutations--) {
            int at = random.nextInt(text.length());
            char other = alphabet.charAt(random.nextInt(alphabet.length()));
            switch (random.nextInt(4)) {
                case 0 -> text.setCharAt(at, other);
                case 1 -> text.insert(at, other);
                case 2 -> text.insert(at, text.charAt(at));
                default -> text.deleteCharAt(at);
            }
        }
        return text.toString();
    }
}
