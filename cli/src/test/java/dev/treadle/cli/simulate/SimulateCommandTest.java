// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Process;
import dev.treadle.cli.CapturedRun;
import dev.treadle.cli.ExitCode;
import dev.treadle.node.Spawn;
import dev.treadle.simulation.Simulation;
import dev.treadle.simulation.Trial;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateCommandTest {
    @TempDir
    private Path folder;

    private CapturedRun simulate(String... args) {
        var all = new String[args.length + 3];
        all[0] = "simulate";
        all[1] = "--page";
        all[2] = folder.resolve("run.html").toString();
        System.arraycopy(args, 0, all, 3, args.length);
        return CapturedRun.of(all);
    }

    @Test
    void givenNoClass_whenRun_thenTheBugIsFoundShrunkAndShownOnAPage() {
        CapturedRun run = simulate("--seeds", "1000");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .contains("1,000 seeds of a bank with a bug", "both deposits are in the store", "To run this again")
                .contains("The run as a page: file:");
        assertThat(folder.resolve("run.html")).content().contains("deposit");
    }

    @Test
    void givenTheLineOfAReport_whenReplayed_thenItFailsAgain() {
        CapturedRun found = simulate("--seeds", "1000");
        String line = found.out().replaceAll("(?s).*Simulation.replay\\(\"([^\"]*)\"\\).*", "$1");

        CapturedRun again = simulate("--replay", line);

        assertThat(again.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(again.out()).contains("both deposits are in the store");
    }

    /** A test without a bug. */
    static final class Sound implements Trial {
        @Override
        public void run(Simulation simulation) {
            simulation.play(world -> {
                var ref = world.node()
                        .spawn(Spawn.of(() -> Process.of((events, out) -> out.done("well"))))
                        .ref();
                assertThat(ref.result().get()).isEqualTo("well");
            });
        }
    }

    @Test
    void givenATestThatPasses_whenRun_thenItSaysSoAndWritesNoPage() {
        CapturedRun run = simulate(Sound.class.getName(), "--seeds", "600");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("600 seeds of " + Sound.class.getName(), "500 seeds pass", "all pass");
        assertThat(folder.resolve("run.html")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --seeds 0                  | --seeds was 0, must be 1 to 1000000000
            com.acme.Nowhere           | class com.acme.Nowhere was not found
            java.lang.String           | class java.lang.String is no dev.treadle.simulation.Trial
            --class-path not-there.jar | class path entry not-there.jar cannot be read
            --replay nonsense          | --replay:""")
    void givenAWrongOption_whenRun_thenItNamesTheValueAndTheRule(String arguments, String said) {
        CapturedRun run = simulate(arguments.split(" "));

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains(said);
    }
}
