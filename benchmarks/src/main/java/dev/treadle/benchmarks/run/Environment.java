// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Where the figures come from.
 *
 * @param load the load of the machine over the last minute when it began; negative if unknown
 */
public record Environment(
        String date,
        String cpu,
        int processors,
        String os,
        String jdk,
        List<String> flags,
        int workers,
        int forks,
        boolean quick,
        double load) {
    /** Describes this machine and the JVMs that will be started. */
    public static Environment of(Jdk jdk, int workers, int forks, boolean quick) {
        return new Environment(
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                cpuModel(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                jdk.description(),
                ForkProcess.flags(jdk, workers),
                workers,
                forks,
                quick,
                java.lang.management.ManagementFactory.getOperatingSystemMXBean()
                        .getSystemLoadAverage());
    }

    private static String cpuModel() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException notLinux) {
            return "unknown";
        }
    }
}
