// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class StatusDisplayTest {
    private final StringWriter out = new StringWriter();

    @Nested
    class GivenTerminal {
        private final StatusDisplay display = new StatusDisplay(new PrintWriter(out), true, 10);

        @Test
        void whenShownTwice_thenTheSecondGoesOverTheFirst() {
            display.show(List.of("a1", "b1", "c1"));
            String first = out.toString();
            display.show(List.of("a2", "b2", "c2"));

            assertThat(first).isEqualTo("\ra1\u001b[K\nb1\u001b[K\nc1\u001b[K");
            assertThat(out.toString().substring(first.length()))
                    .as("to the line's start and two lines up")
                    .isEqualTo("\r\u001b[2Aa2\u001b[K\nb2\u001b[K\nc2\u001b[K");
        }

        @Test
        void whenALineIsTooLong_thenItIsCutSoThatItDoesNotWrap() {
            display.show(List.of("123456789", "1234567890"));

            assertThat(out.toString()).isEqualTo("\r123456789\u001b[K\n123456789\u001b[K");
        }

        @Test
        void whenEnded_thenWhatFollowsGoesBelow() {
            display.show(List.of("a"));
            display.end();
            int length = out.toString().length();
            display.show(List.of("b"));

            assertThat(out.toString().substring(0, length)).endsWith(System.lineSeparator());
            assertThat(out.toString().substring(length)).isEqualTo("\rb\u001b[K");
        }
    }

    @Nested
    class GivenNoTerminal {
        private final StatusDisplay display = new StatusDisplay(new PrintWriter(out), false, 10);

        @Test
        void whenShown_thenItIsOneWholePlainLine() {
            display.show(List.of("a line that is long", "b"));
            display.show(List.of("c"));
            display.end();

            assertThat(out.toString().lines()).containsExactly("a line that is long | b", "c");
        }

        @Test
        void whenNobodyReads_thenItIsClosed() {
            var broken = new StatusDisplay(new PrintWriter(new BrokenPipe()), false, 10);

            broken.show(List.of("a"));

            assertThat(broken.isClosed()).isTrue();
            assertThat(display.isClosed()).isFalse();
        }
    }

    private static final class BrokenPipe extends Writer {
        @Override
        public void write(char[] chars, int from, int length) throws java.io.IOException {
            throw new java.io.IOException("Broken pipe");
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
