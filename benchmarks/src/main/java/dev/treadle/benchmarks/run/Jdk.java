// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * The JDK that runs the contenders.
 *
 * @param home where it is
 * @param version its feature version, such as 25
 * @param description its full version and its maker
 */
public record Jdk(Path home, int version, String description) {
    private static final int VERSION_MIN = 17;

    /** Returns the one that runs this. */
    public static Jdk current() {
        return new Jdk(
                Path.of(System.getProperty("java.home")),
                Runtime.version().feature(),
                Runtime.version() + ", " + System.getProperty("java.vendor"));
    }

    /**
     * Returns the one in a folder, as its "release" file describes it.
     *
     * @throws IllegalArgumentException if there is none that will do; says what to give instead
     */
    public static Jdk in(Path home) {
        var release = new Properties();
        try (var reader = Files.newBufferedReader(home.resolve("release"))) {
            release.load(reader);
        } catch (IOException none) {
            throw new IllegalArgumentException(
                    "--jdk was " + home + ", which holds no JDK: give the folder that has bin and release in it", none);
        }
        String full = release.getProperty("JAVA_VERSION", "0").replace("\"", "");
        int version = Integer.parseInt(full.split("[.+-]", 2)[0]);
        if (version < VERSION_MIN) {
            throw new IllegalArgumentException("--jdk was " + home + ", a JDK " + full + ", must be " + VERSION_MIN
                    + " or newer: give another one");
        }
        String maker = release.getProperty("IMPLEMENTOR", "unknown maker").replace("\"", "");
        return new Jdk(home, version, full + ", " + maker);
    }
}
