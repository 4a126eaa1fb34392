// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: no id is dealt out twice, and no two workers of a small scheduler ever use the same part of the process table. */
class ProcessIdsTest {
    private static final int PARTS = 64;
    private static final int ROUNDS = 1_000;

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "64, 2", "1000003, 3", "7, 8", "1, 100", "1, 1024"})
    void whenAllTake_thenEachIdIsDealtOutOnce(long first, int workers) {
        var ids = new ProcessIds(first, workers);
        Set<Long> dealt = new HashSet<>();
        for (int round = 0; round < ROUNDS; round++) {
            assertThat(dealt.add(ids.next())).isTrue();
            int worker = round % (workers + 2); // two spare ones
            long block = ids.nextBlock(worker);
            for (int i = 0; i < ProcessIds.BLOCK; i++) {
                assertThat(dealt.add(block + i))
                        .as("id %d of worker %d", block + i, worker)
                        .isTrue();
            }
        }
        assertThat(dealt).allMatch(id -> id >= first);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 63, 64, 65, 1_000_003})
    void theFirstOneForAThreadOutsideIsTheFirstOfAllAndTheNextOnesFollow(long first) {
        var ids = new ProcessIds(first, 2);
        long last = first | (ProcessIds.BLOCK - 1);
        for (long id = first; id <= last; id++) {
            assertThat(ids.next()).isEqualTo(id);
        }
        assertThat(ids.next()).as("the next block").isGreaterThan(last).matches(id -> id % ProcessIds.BLOCK == 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 31})
    void noTwoWorkersUseTheSamePartOfTheTable(int workers) {
        var ids = new ProcessIds(1, workers);
        Map<Long, Integer> users = new HashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (int worker = 0; worker < workers; worker++) {
                long part = ids.nextBlock(worker) / ProcessIds.BLOCK % PARTS;
                assertThat(users.merge(part, worker, (before, now) -> before.equals(now) ? now : -1))
                        .as("who uses part %d", part)
                        .isEqualTo(worker);
            }
        }
    }
}
