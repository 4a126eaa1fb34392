// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is dear to find out is found out seldom. */
class PacedTest {
    private final AtomicInteger looks = new AtomicInteger();

    @Test
    void anAnswerIsKeptForAWhileAndThenFoundAnew() {
        var paced = new Paced<>(looks::incrementAndGet);

        assertThat(paced.get().value()).isEqualTo(1);
        assertThat(paced.get().value()).isEqualTo(1);

        await().atMost(Duration.ofSeconds(20)).until(() -> paced.get().value() == 2);
    }

    @Test
    void theLifetimeGrowsWithTheCostWithinBounds() {
        assertThat(known(Duration.ofMillis(1)).lifetime()).isEqualTo(Duration.ofMillis(900));
        assertThat(known(Duration.ofMillis(100)).lifetime()).isEqualTo(Duration.ofSeconds(10));
        assertThat(known(Duration.ofSeconds(10)).lifetime()).isEqualTo(Duration.ofSeconds(30));
        assertThat(known(Duration.ofMillis(100)).isStale()).isFalse();
        assertThat(new Paced.Known<>(
                                "x",
                                1,
                                System.nanoTime() - Duration.ofSeconds(1).toNanos())
                        .isStale())
                .isTrue();
    }

    private static Paced.Known<String> known(Duration took) {
        return new Paced.Known<>("x", took.toNanos(), System.nanoTime());
    }

    @Test
    void eachQuestionHasItsAnswerAndOnlyTheLatestAreKept() {
        var answers = new PacedAnswers<Integer, String>(question -> question + " " + looks.incrementAndGet());

        assertThat(answers.answer(0).value()).isEqualTo("0 1");
        assertThat(answers.answer(1).value()).isEqualTo("1 2");
        assertThat(answers.answer(0).value()).as("known").isEqualTo("0 1");
        for (int i = 2; i <= 32; i++) {
            answers.answer(i);
        }
        int before = looks.get();
        assertThat(answers.answer(1).value()).as("unasked for longest").isEqualTo("1 " + (before + 1));
    }
}
