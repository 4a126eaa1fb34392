// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: no id is dealt out twice, hardly any is left out, and two workers that take about as many use different parts of the
 * process table.
 */
class ProcessIdsTest {
    private static final int PARTS = 64;
    private static final int ROUNDS = 3_000;

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "64, 2", "1000003, 3", "7, 8", "1, 100", "1, 1024"})
    void whenAllTakeAtRandom_thenEachIsDealtOutOnce(long first, int workers) {
        var ids = new ProcessIds(first, workers);
        var random = new SplittableRandom(workers);
        Set<Long> dealt = new HashSet<>();
        for (int round = 0; round < ROUNDS; round++) {
            assertThat(dealt.add(ids.next())).isTrue();
            int worker = random.nextInt(workers + 2); // two of them spare ones
            long block = ids.nextBlock(worker);
            for (int i = 0; i < ProcessIds.BLOCK; i++) {
                assertThat(dealt.add(block + i))
                        .as("id %d of worker %d", block + i, worker)
                        .isTrue();
            }
        }
        assertThat(dealt).allMatch(id -> id >= first);
    }

    /** A host that is started again gets so many ids more, and none twice: a scheduler must not use them up for nothing. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 64, 1_024})
    void whenOnlyOneTakes_thenHardlyAnyAreLeftOut(int workers) {
        int count = 10_000 * ProcessIds.BLOCK;
        var outside = new ProcessIds(1, workers);
        var worker = new ProcessIds(1, workers);
        long last = 0;
        long lastBlock = 0;
        for (int i = 0; i < count; i++) {
            long id = outside.next();
            assertThat(id).as("the next one is greater").isGreaterThan(last);
            last = id;
            lastBlock = i % ProcessIds.BLOCK == 0 ? worker.nextBlock(workers - 1) : lastBlock;
        }
        long leftOutMax = (long) ProcessIds.BLOCK * 12 * Integer.highestOneBit(2 * workers);
        assertThat(last - count).as("left out by threads outside").isLessThan(leftOutMax);
        assertThat(lastBlock - count).as("left out by a worker").isLessThan(leftOutMax);
    }

    @ParameterizedTest
    @CsvSource({"7, 1", "7, 2", "64, 8"})
    void theFirstOnesAreInSequence(long first, int workers) {
        var ids = new ProcessIds(first, workers);

        assertThat(ids.next()).isEqualTo(first);
        assertThat(ids.nextBlock(0)).isEqualTo(first + 1);
        assertThat(ids.next()).isEqualTo(first + 1 + ProcessIds.BLOCK);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 32})
    void whenAllTakeAboutAsMany_thenNoTwoWorkersUseTheSamePartOfTheTable(int workers) {
        var ids = new ProcessIds(1, workers);
        var random = new SplittableRandom(workers);
        for (int i = 0; i < ProcessIds.IN_SEQUENCE / ProcessIds.BLOCK + workers; i++) {
            ids.nextBlock(i % workers); // those in sequence, and a part of a row
        }
        Map<Long, Integer> users = new HashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            int ahead = random.nextInt(workers);
            for (int i = 0; i < workers; i++) {
                int worker = (ahead + i) % workers;
                long part = ids.nextBlock(worker) / ProcessIds.BLOCK % PARTS;
                assertThat(users.merge(part, worker, (before, now) -> before.equals(now) ? now : -1))
                        .as("who uses part %d", part)
                        .isEqualTo(worker);
            }
        }
    }
}
