// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.verification;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** The command {@code treadle verify}. */
public final class Main {
    private static final String USAGE = """
            Usage: treadle verify [--quick | --full] [--test REGEX] [--results DIR]

            Runs the lock-free classes under jcstress, then broken twins of them. Fails if a class shows a forbidden
            result, and if a twin is not caught.

              --quick         several minutes (the default)
              --full          hours
              --test REGEX    only tests with a name in which REGEX is found, and their twins
              --results DIR   where reports go; by default a new folder for temporary files
              --help          this text

            Exit codes: 0 all passed and all twins caught, 1 not so, 2 wrong usage.
            """;

    private static final int PASSED = 0;
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    private Effort effort = Effort.QUICK;
    private String tests = "";
    private @Nullable String results;
    private boolean helpWanted;

    private Main() {}

    /** Runs the command, and ends the JVM with its exit code. */
    public static void main(String[] arguments) throws InterruptedException {
        System.exit(run(arguments, System.out, System.err));
    }

    /** Runs the command; returns its exit code. */
    static int run(String[] arguments, PrintStream out, PrintStream err) throws InterruptedException {
        var main = new Main();
        try {
            main.parse(arguments);
            if (main.helpWanted) {
                out.print(USAGE);
                return PASSED;
            }
            return main.verify(out, err);
        } catch (IllegalArgumentException e) {
            err.println("treadle verify: " + e.getMessage());
            return WRONG_USAGE;
        } catch (IOException e) {
            err.println("treadle verify: " + e.getMessage());
            return FAILED;
        }
    }

    private void parse(String[] arguments) {
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--smoke" -> effort = Effort.SMOKE;
                case "--quick" -> effort = Effort.QUICK;
                case "--full" -> effort = Effort.FULL;
                case "--test" -> tests = value(arguments, ++i, "a regular expression");
                case "--results" -> results = value(arguments, ++i, "a folder");
                case "--help", "-h" -> helpWanted = true;
                default ->
                    throw new IllegalArgumentException(
                            "\"" + arguments[i] + "\" is no option: see treadle verify --help");
            }
        }
    }

    private static String value(String[] arguments, int index, String what) {
        if (index == arguments.length) {
            throw new IllegalArgumentException(arguments[index - 1] + " needs " + what + " after it");
        }
        return arguments[index];
    }

    private int verify(PrintStream out, PrintStream err) throws IOException, InterruptedException {
        Pattern pattern;
        try {
            pattern = Pattern.compile(tests);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "--test was \"" + tests + "\", must be a regular expression: " + e.getDescription());
        }
        Path folder = results == null
                ? Files.createTempDirectory("treadle-verify")
                : Path.of(results).toAbsolutePath();
        long start = System.nanoTime();
        Consumer<String> progress = progress(err, start);
        Summary summary = new Verification(effort, pattern, folder, progress).run();
        if (isTerminal()) {
            err.println();
        }
        out.print(summary);
        out.println();
        out.println((summary.isPassed() ? "Passed" : "FAILED") + " in " + seconds(start) + " s on Java "
                + Runtime.version() + ", " + System.getProperty("os.arch") + ". Reports are in " + folder);
        return summary.isPassed() ? PASSED : FAILED;
    }

    /** One line that is written over on a terminal; elsewhere a line for each change, but not too many. */
    private static Consumer<String> progress(PrintStream err, long start) {
        var last = new Object() {
            String text = "";
            long nanos = start - Duration.ofMinutes(1).toNanos();
        };
        return text -> {
            long now = System.nanoTime();
            boolean due =
                    isTerminal() || now - last.nanos >= Duration.ofSeconds(10).toNanos();
            if (!due || text.equals(last.text)) {
                return;
            }
            last.text = text;
            last.nanos = now;
            String line = "treadle verify: " + seconds(start) + " s, " + text;
            if (isTerminal()) {
                err.print("\r\033[K" + line);
                err.flush();
            } else {
                err.println(line);
            }
        };
    }

    private static boolean isTerminal() {
        return Boolean.getBoolean("treadle.terminal");
    }

    private static long seconds(long start) {
        return Duration.ofNanos(System.nanoTime() - start).toSeconds();
    }
}
