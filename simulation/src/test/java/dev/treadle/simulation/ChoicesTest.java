// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.Process;
import dev.treadle.node.Spawn;
import dev.treadle.simulation.Choices.Choice;
import dev.treadle.simulation.Choices.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decisions: drawn from a seed, remembered, and made again. */
class ChoicesTest {
    @Test
    void decisionsAreEvenAndWithinTheirBound() {
        Choices choices = Choices.of(2, Exploration.random());
        int[] counts = new int[5];
        for (int i = 0; i < 10_000; i++) {
            counts[choices.choose(Kind.NEXT, 5)]++;
        }
        assertThat(counts).satisfies(all -> {
            for (int count : all) {
                assertThat(count).isBetween(1_800, 2_200);
            }
        });
        assertThat(choices.choose(Kind.NEXT, 1)).isZero();
    }

    @Test
    void rareOnesHappenAtTheirRate() {
        Choices choices = Choices.of(2, Exploration.random());
        int happened = 0;
        for (int i = 0; i < 10_000; i++) {
            int value = choices.rarely(Kind.CRASH, 0.05, 3);
            assertThat(value).isBetween(0, 2);
            happened += value == 0 ? 0 : 1;
        }
        assertThat(happened).isBetween(400, 600);
    }

    @Test
    void theReplayLineMakesTheSameDecisionsAgain() {
        Choices drawn = Choices.of(6, Exploration.random());
        List<Integer> values = draw(drawn);
        Choices again = Choices.parse(drawn.replayLine());
        assertThat(draw(again)).isEqualTo(values);
        assertThat(again.seed()).isEqualTo(6);
        assertThat(again.made()).isEqualTo(drawn.made());
    }

    private static List<Integer> draw(Choices choices) {
        var values = new ArrayList<Integer>();
        for (int i = 0; i < 50; i++) {
            values.add(choices.choose(Kind.NEXT, 4));
            values.add(choices.rarely(Kind.CRASH, 0.2, 3));
            values.add(choices.choose(Kind.USER, 10));
        }
        return values;
    }

    @Test
    void whatIsNotInAReplayIsPlain_andWhatIsTooLargeIsTheLargest() {
        Choices choices = Choices.replaying(1, List.of(new Choice(Kind.NEXT, 1, 9)));
        assertThat(choices.choose(Kind.NEXT, 3)).isZero();
        assertThat(choices.choose(Kind.BATCH, 3)).isZero();
        assertThat(choices.choose(Kind.NEXT, 3)).isEqualTo(2);
        assertThat(choices.choose(Kind.NEXT, 3)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "42/z1.1", "42/n1", "42/n.1", "42/n1.x"})
    void aLineThatIsNoneIsRefused(String line) {
        assertThatThrownBy(() -> Simulation.replay(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("copy");
    }

    @Test
    void withoutPreemptionsAllIsInThePlainOrder() {
        assertThat(run(Exploration.preemptions(0), 3).replayLine()).isEqualTo("3/");
    }

    @Test
    void thereAreNoMorePreemptionsThanAllowed_andTheyMakeADifference() {
        Set<String> runs = new HashSet<>();
        for (int seed = 0; seed < 50; seed++) {
            Outcome outcome = run(Exploration.preemptions(2), seed);
            assertThat(Choices.parse(outcome.replayLine()).isReplay()).isTrue();
            assertThat(outcome.replayLine().chars().filter(c -> c == '.').count())
                    .isLessThanOrEqualTo(2);
            runs.add(outcome.trace().text());
        }
        assertThat(runs).hasSizeGreaterThan(5);
    }

    @Test
    void byDefaultEvenSeedsAreAtRandomAndOddOnesByPreemptions() {
        assertThat(Exploration.mixed().isRandom(4)).isTrue();
        assertThat(Exploration.mixed().isRandom(5)).isFalse();
        assertThat(Exploration.random().isRandom(5)).isTrue();
        assertThat(Exploration.preemptions(1).isRandom(4)).isFalse();
    }

    private static Outcome run(Exploration exploration, long seed) {
        return Simulation.seed(seed).exploration(exploration).run(node -> {
            for (int i = 0; i < 5; i++) {
                node.spawn(Spawn.of(() -> Process.of((events, out) -> out.done())));
            }
        });
    }
}
