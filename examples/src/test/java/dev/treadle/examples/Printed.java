// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a program prints. */
final class Printed {
    private Printed() {}

    /** Runs a main method, and returns the lines that it has printed. */
    static List<String> by(Main main, String... args) throws Exception {
        var printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        try (var out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setOut(out);
            main.run(args);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }

    interface Main {
        void run(String[] args) throws Exception;
    }
}
