// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.verification;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.openjdk.jcstress.infra.runners.TestList;

/** Runs the production classes through all tests, and each twin through the test that has to catch it. */
final class Verification {
    private final Effort effort;
    private final Pattern tests;
    private final Path folder;
    private final Consumer<String> progress;

    /** Takes which tests to run, by a pattern that is looked for in their names; and where reports go. */
    Verification(Effort effort, Pattern tests, Path folder, Consumer<String> progress) {
        this.effort = effort;
        this.tests = tests;
        this.folder = folder;
        this.progress = progress;
    }

    Summary run() throws IOException, InterruptedException {
        var summary = new Summary();
        List<String> names = TestList.tests().stream()
                .filter(name -> tests.matcher(name).find())
                .sorted()
                .toList();
        if (names.isEmpty()) {
            throw new IOException("no test has a name with \"" + tests + "\" in it: give a part of the name of one of "
                    + String.join(", ", TestList.tests()));
        }
        runProduction(names, summary);
        List<Twin> twins = Arrays.stream(Twin.values())
                .filter(twin -> names.stream().anyMatch(name -> name.endsWith("." + twin.test())))
                .toList();
        for (int i = 0; i < twins.size(); i++) {
            String place = "twin " + (i + 1) + " of " + twins.size() + ", " + twins.get(i) + ": ";
            runTwin(twins.get(i), place, summary);
        }
        return summary;
    }

    private void runProduction(List<String> names, Summary summary) throws IOException, InterruptedException {
        progress.accept(names.size() + " tests: starting");
        var quoted = new ArrayList<String>();
        names.forEach(name -> quoted.add(Pattern.quote(name)));
        Map<String, Verdict> verdicts = Verdict.of(new Jcstress(folder.resolve("production"))
                .run(
                        effort.flags(),
                        "^(" + String.join("|", quoted) + ")$",
                        done -> progress.accept(names.size() + " tests: " + done)));
        for (String name : names) {
            String simple = name.substring(name.lastIndexOf('.') + 1);
            summary.addTest(simple, verdicts.getOrDefault(simple, new Verdict()));
        }
    }

    private void runTwin(Twin twin, String place, Summary summary) throws IOException, InterruptedException {
        var verdict = new Verdict();
        List<List<String>> attempts = effort.twinFlags();
        for (int i = 0; i < attempts.size() && !verdict.isForbiddenSeen(); i++) {
            var flags = new ArrayList<>(attempts.get(i));
            flags.addAll(List.of("-jvmArgs", "-D" + Twin.PROPERTY + "=" + twin));
            Map<String, Verdict> verdicts = Verdict.of(new Jcstress(folder.resolve(twin + "-" + i))
                    .run(flags, "\\." + twin.test() + "$", done -> progress.accept(place + done)));
            verdict = verdicts.getOrDefault(twin.test(), verdict);
        }
        summary.addTwin(twin, verdict);
    }
}
