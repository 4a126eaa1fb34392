// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.verification;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;

/** Runs jcstress in a JVM of its own, which starts one for each test and setting, and reads what it found. */
final class Jcstress {
    private static final Pattern PROGRESS = Pattern.compile(
            "\\(Results: (\\d+) planned; (\\d+) passed, (\\d+) failed, (\\d+) soft errs, (\\d+) hard errs");

    /** Stands before the name of a test with a result that is not allowed. */
    private static final String FAILED = "[FAILED]";

    /** Made here, in the folder that it runs in. */
    private static final String RESULTS = "*.bin.gz";

    private final Path folder;

    /** Takes the folder for reports; it is made if it is not there. */
    Jcstress(Path folder) {
        this.folder = folder;
    }

    /**
     * Runs the tests that the pattern finds.
     *
     * @param progress hears how many of how many runs are done
     * @throws IOException if there are no results to read; the message says where the log is
     */
    Collection<TestResult> run(List<String> flags, String tests, Consumer<String> progress)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "org.openjdk.jcstress.Main"));
        command.addAll(flags);
        command.addAll(List.of("-t", tests, "-r", folder.toString()));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        var killer = new Thread(() -> end(process), "treadle-verify-killer");
        Runtime.getRuntime().addShutdownHook(killer);
        try {
            follow(process, progress);
            process.waitFor();
        } finally {
            end(process);
            Runtime.getRuntime().removeShutdownHook(killer);
        }
        return read();
    }

    /** Ends it with the JVMs that it has started, if it has not ended. */
    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
    }

    private void follow(Process process, Consumer<String> progress) throws IOException {
        Path log = folder.resolve("jcstress.log");
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
                var writer = Files.newBufferedWriter(log)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                writer.write(line);
                writer.newLine();
                writer.flush(); // for who wants to know more while it runs
                int failure = line.indexOf(FAILED);
                if (failure >= 0) {
                    progress.accept(line.substring(failure));
                }
                Matcher matcher = PROGRESS.matcher(line);
                if (matcher.find()) {
                    progress.accept(describe(matcher));
                }
            }
        }
    }

    private static String describe(Matcher matcher) {
        int passed = number(matcher, 2);
        int failed = number(matcher, 3) + number(matcher, 4) + number(matcher, 5);
        return (passed + failed) + " of " + number(matcher, 1) + " runs"
                + (failed == 0 ? "" : ", " + failed + " failed");
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }

    private Collection<TestResult> read() throws IOException {
        var collector = new InProcessCollector();
        for (Path file : resultFiles()) {
            var reader = new DiskReadCollector(file.toString(), collector);
            try {
                reader.dump();
            } catch (ClassNotFoundException e) {
                throw new IOException("the results in " + file + " are of another version of jcstress", e);
            } finally {
                reader.close();
            }
        }
        if (collector.getTestResults().isEmpty()) {
            throw new IOException("jcstress left no results in " + folder
                    + ": see jcstress.log there; most likely no test has that name");
        }
        return collector.getTestResults();
    }

    private List<Path> resultFiles() throws IOException {
        var found = new ArrayList<Path>();
        try (var files = Files.newDirectoryStream(folder, RESULTS)) {
            files.forEach(found::add);
        }
        return found;
    }
}
