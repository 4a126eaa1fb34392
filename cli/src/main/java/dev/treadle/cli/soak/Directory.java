// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.soak;

import dev.treadle.Pid;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Some addresses for processes to talk to: few, so that they meet; some of the dead, so that letters get lost. */
final class Directory {
    private static final int PLACES = 64;

    private final AtomicReferenceArray<@Nullable Pid> pids = new AtomicReferenceArray<>(PLACES);

    /** Any thread: puts a process in the place of another. */
    void enter(Pid pid, RandomGenerator random) {
        pids.set(random.nextInt(PLACES), pid);
    }

    /** Any thread. One of them, or null. */
    @Nullable
    Pid any(RandomGenerator random) {
        return pids.get(random.nextInt(PLACES));
    }
}
