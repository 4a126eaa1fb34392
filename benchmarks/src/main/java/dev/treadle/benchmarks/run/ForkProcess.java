// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.run;

import dev.treadle.benchmarks.Contender;
import dev.treadle.benchmarks.Service;
import dev.treadle.benchmarks.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts a JVM for each run, and reads what it says. */
public final class ForkProcess implements ForkRunner {
    private static final long PATIENCE_MINUTES = 15;
    private static final int OUTPUT_KEPT_CHARS = 2_000;

    private final Jdk jdk;
    private final int workers;
    private final boolean quick;

    /** For runs with the same settings. */
    public ForkProcess(Jdk jdk, int workers, boolean quick) {
        this.jdk = jdk;
        this.workers = workers;
        this.quick = quick;
    }

    /** Returns the flags that each JVM gets, whoever runs in it. */
    static List<String> flags(Jdk jdk, int workers) {
        var flags = new ArrayList<>(List.of(
                "-Xms3g", "-Xmx3g", "-XX:+AlwaysPreTouch", "-Djdk.virtualThreadScheduler.parallelism=" + workers));
        flags.addAll(Service.FLAGS);
        if (jdk.version() >= 24) {
            flags.add("--sun-misc-unsafe-memory-access=allow"); // Scala and Netty use it, and would be warned of it
        }
        return List.copyOf(flags);
    }

    @Override
    public ForkResult run(Workload workload, Contender contender) throws IOException, InterruptedException {
        var unable = contender.unable(workload, jdk.version());
        if (unable.isPresent()) {
            return ForkResult.without(ForkResult.Status.UNABLE, unable.get());
        }
        var command = new ArrayList<String>();
        command.add(jdk.home().resolve("bin/java").toString());
        command.addAll(flags(jdk, workers));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Fork.class.getName()));
        command.addAll(
                List.of(contender.label(), workload.label(), Integer.toString(workers), quick ? "quick" : "full"));
        Path output = Files.createTempFile("treadle-bench", ".log");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            var end = new Thread(process::destroyForcibly); // it must not outlive this one after Ctrl-C
            Runtime.getRuntime().addShutdownHook(end);
            try {
                if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
                    return ForkResult.without(
                            ForkResult.Status.FAILED, "did not end within " + PATIENCE_MINUTES + " minutes");
                }
            } finally {
                process.destroyForcibly();
                Runtime.getRuntime().removeShutdownHook(end);
            }
            return result(Files.readString(output), process.exitValue());
        } finally {
            Files.deleteIfExists(output);
        }
    }

    static ForkResult result(String output, int exitCode) {
        return output.lines()
                .filter(line -> line.startsWith(Fork.RESULT))
                .findFirst()
                .map(line -> Json.forkResult(line.substring(Fork.RESULT.length())))
                .orElseGet(() -> ForkResult.without(
                        ForkResult.Status.FAILED,
                        "the JVM ended with exit code " + exitCode + " and no result: " + tail(output)));
    }

    private static String tail(String output) {
        return output.substring(Math.max(0, output.length() - OUTPUT_KEPT_CHARS))
                .trim();
    }
}
