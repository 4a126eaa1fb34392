// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.node.Spawn;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page that shows a run. */
class TracePageTest {
    @Test
    void thePageHasAllEventsAndFetchesNothing(@TempDir Path folder) throws Exception {
        Outcome outcome = Simulation.seed(2).play(world -> {
            Pid pid = world.node()
                    .spawn(Spawn.of(() -> Process.of((events, out) -> out.idle())))
                    .pid();
            world.node().send(pid, "</script>", "\"quoted\\ \n");
            world.crash(pid);
        });
        Path page = folder.resolve("run.html");
        outcome.trace().writePage(page);
        String html = Files.readString(page);

        assertThat(html)
                .startsWith("<!doctype html>")
                .doesNotContain("/*DATA*/")
                .contains(
                        "\"kind\":\"FAULT\"",
                        "\"message\":1",
                        "\"received\":[1]",
                        "\\u003c/script>",
                        "\\\"quoted\\\\ ");
        assertThat(html.split("</script>", -1)).as("only those of the template").hasSize(3);
        assertThat(html.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http:", "https:", "src=", "@import");
    }

    @Test
    void aTraceKeepsTheLastEventsOfALongRun() {
        Outcome outcome = Simulation.seed(2).traceCapacity(10).run(node -> {
            for (int i = 0; i < 50; i++) {
                node.spawn(Spawn.of(() -> Process.of((events, out) -> out.done())));
            }
        });
        Trace trace = outcome.trace();
        assertThat(trace.events()).hasSize(10);
        assertThat(trace.length()).isEqualTo(150);
        assertThat(trace.events().get(0).number()).isEqualTo(141);
        assertThat(trace.events().get(9).number()).isEqualTo(150);
    }
}
