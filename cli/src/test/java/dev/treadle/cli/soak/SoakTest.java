// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.cli.CapturedRun;
import dev.treadle.cli.ExitCode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SoakTest {
    private static final int SEED = 4;

    private static Soak soak(Duration time, Supplier<Ledger> ledgers) {
        return new Soak(new Soak.Settings(time, SEED, 1, 2), ledgers, line -> {});
    }

    @Nested
    class GivenTwoSeconds {
        @Test
        void whenRunFromASeed_thenTheBooksBalanceAndTheRunIsDescribed() {
            CapturedRun run = CapturedRun.of("soak", "--minutes", "0.034", "--seed", "" + SEED, "--workers", "2");

            assertThat(run.out()).contains("no fault found").doesNotContain("FAULT");
            assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
            assertThat(run.out())
                    .startsWith("./treadle soak --seed 4 --minutes 0.034 --workers 2 on Java ")
                    .contains("messages, completions and closes", " steals, ", " parks, ", " crashes, ");
            assertThat(run.err()).isEmpty();
        }
    }

    /** What is written down wrongly stands for what the scheduler does wrongly: the books cannot tell. */
    @Nested
    class GivenOneWrongEntry {
        private final AtomicInteger entries = new AtomicInteger();

        private List<String> run(Supplier<Ledger> ledgers) {
            return soak(Duration.ofMillis(200), ledgers).run(() -> false);
        }

        private boolean isTheOne() {
            return entries.incrementAndGet() == 10;
        }

        @Test
        void whenAMessageIsNotHandled_thenItIsMissed() {
            List<String> faults = run(() -> new Ledger() {
                @Override
                void handled(Letter letter) {
                    if (letter.kind != Letter.Kind.MESSAGE || !isTheOne()) {
                        super.handled(letter);
                    }
                }
            });

            assertThat(faults).singleElement().asString().contains("round 1 (2 workers", "messages sent, but");
        }

        @Test
        void whenAMessageIsHandledTwice_thenThatIsSeen() {
            List<String> faults = run(() -> new Ledger() {
                @Override
                void handled(Letter letter) {
                    super.handled(letter);
                    if (isTheOne()) {
                        super.handled(letter);
                    }
                }
            });

            assertThat(faults).anySatisfy(fault -> assertThat(fault).contains("a message was handled twice"));
        }

        @Test
        void whenACloseIsMissing_thenItIsMissed() {
            List<String> faults = run(() -> new Ledger() {
                @Override
                void closed(int open) {
                    if (!isTheOne()) {
                        super.closed(open);
                    } else {
                        abandoned.add(open);
                    }
                }
            });

            assertThat(faults).singleElement().asString().contains("processes initialised, but");
        }

        @Test
        void whenAYieldIsNotCompleted_thenItIsMissed() {
            List<String> faults = run(() -> new Ledger() {
                @Override
                void closed(int open) {
                    super.closed(isTheOne() ? open + 1 : open);
                }
            });

            assertThat(faults).singleElement().asString().contains("yields, but");
        }
    }

    @Nested
    class GivenAWrongOption {
        @ParameterizedTest
        @CsvSource({"--minutes, 0", "--minutes, -1", "--minutes, NaN", "--workers, 0", "--workers, 1025"})
        void whenAValueIsOutOfRange_thenOptionAndRangeAreNamed(String option, String value) {
            CapturedRun run = CapturedRun.of("soak", option + "=" + value);

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).contains(option + " was " + value, "must be").contains("Try: treadle soak --help");
        }
    }
}
