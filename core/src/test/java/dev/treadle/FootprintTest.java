// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;

/** How many bytes an idle process costs, without the user's own object: a figure that the project publishes. */
class FootprintTest {
    private static final long BYTES_MAX = 160;

    @Test
    void whenAProcessIsIdle_thenItsCellAndItsPidAreSmall() {
        SteppedScheduler stepped = Scheduler.builder().workers(1).stepped();
        ProcessRef ref = stepped.scheduler().submit(ProbeProcess.deaf(), "main");
        ref.send("hello", null);
        stepped.runAll();
        ProcessCell idle = ref.pid().cell();

        long cell = ClassLayout.parseInstance(idle).instanceSize();
        long pid = ClassLayout.parseInstance(ref.pid()).instanceSize();

        report("cell %d bytes, pid %d bytes once somebody has asked for it, %d in all", cell, pid, cell + pid);
        assertThat(cell + pid).isLessThanOrEqualTo(BYTES_MAX);
    }

    @Test
    void whenAProcessIsIdle_thenNothingElseBelongsToIt() {
        SteppedScheduler stepped = Scheduler.builder().workers(1).stepped();
        ProcessRef one = stepped.scheduler().submit(ProbeProcess.deaf(), "main");
        ProcessRef two = stepped.scheduler().submit(ProbeProcess.deaf(), "main");
        one.send("hello", null);
        two.send("hello", null);
        stepped.runAll();
        ProcessCell idle = one.pid().cell();
        ProcessCell other = two.pid().cell();

        assertThat(HeapWalk.neighbours(idle))
                .as("what the cell refers to, and the other one does not: its pid, and the user's object")
                .filteredOn(object -> !HeapWalk.neighbours(other).contains(object) && object != other)
                .containsExactlyInAnyOrder(one.pid(), idle.process());
    }

    /**
     * A million idle processes, of which each has handled one message and none was asked for its pid; what the heap holds
     * more than before, table and all. They share one user's object, so that is not counted.
     */
    @Test
    @Tag("stress")
    void whenAMillionProcessesAreIdle_thenTheHeapHoldsThem() {
        int count = 1_000_000;
        Process shared = Process.of((events, out) -> {});
        try (Scheduler scheduler = Scheduler.builder().workers(2).start()) {
            scheduler.submit(shared, "main").send("hello", null);
            long before = usedBytes();
            for (int i = 0; i < count; i++) {
                scheduler.submit(shared, "main").send("hello", null);
            }
            Soon.until(() -> scheduler.group.isQuiet()
                    && scheduler.stats().processes().equals(Map.of(ProcessInfo.State.IDLE, count + 1L)));
            long after = usedBytes();

            double each = (after - before) / (double) count;
            report("%.1f bytes for each of %d idle processes", each, count);
            assertThat(each).isLessThanOrEqualTo(BYTES_MAX);
            assertThat(scheduler.shutdown(Duration.ofSeconds(60)).waiting()).isEqualTo(count + 1);
        }
    }

    private static long usedBytes() {
        for (int i = 0; i < 5; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static void report(String text, Object... args) {
        String version = System.getProperty("java.version");
        System.out.println("footprint on " + version + ": " + String.format(Locale.ROOT, text, args));
    }
}
