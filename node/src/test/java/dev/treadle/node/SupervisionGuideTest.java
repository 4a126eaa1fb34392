// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each rule in the guide names a test that is there. */
class SupervisionGuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "guide", "supervision.md");
    private static final Pattern TEST = Pattern.compile("\\[`(\\w+)\\.(\\w+)`]\\(([^)]+)\\)");
    private static final int RULES_MIN = 25;

    @Test
    void everyRuleNamesATestThatIsThere() throws IOException {
        List<String> rules = Files.readAllLines(GUIDE).stream()
                .filter(line -> line.startsWith("| ") && line.contains("](../../node/src/test"))
                .toList();
        assertThat(rules).hasSizeGreaterThan(RULES_MIN);
        for (String rule : rules) {
            List<MatchResult> tests = TEST.matcher(rule).results().toList();
            assertThat(tests).as(rule).isNotEmpty();
            for (MatchResult test : tests) {
                Path file = GUIDE.resolveSibling(test.group(3));
                assertThat(file).hasFileName(test.group(1) + ".java").content().contains("void " + test.group(2) + "(");
            }
        }
    }
}
