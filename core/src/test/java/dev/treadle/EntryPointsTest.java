// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static dev.treadle.Soon.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EntryPointsTest {
    private final StepFunction open = (events, out) -> out.done("opened");
    private final StepFunction audit = (events, out) -> out.done("audited");
    private final EntryPoints points = EntryPoints.of("open", open).and("audit", audit);

    @Test
    void givenTwoMethods_whenLookedUp_thenEachHasItsStep() {
        assertThat(points.find("open")).isSameAs(open);
        assertThat(points.find("audit")).isSameAs(audit);
        assertThat(points).hasToString("EntryPoints[open, audit]");
    }

    /** The message has the name, the names that exist, and what to do. */
    @Test
    void whenTheMethodIsUnknown_thenTheKnownOnesAreListed() {
        for (String method : new String[] {"close", "", "Open", "open ", null}) {
            assertThatThrownBy(() -> points.find(method))
                    .isInstanceOf(UnknownMethodException.class)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("method was \"" + method + "\", must be one of [open, audit]:"
                            + " pass one of these to submit or spawn, or add the entry point");
        }
    }

    @Test
    void whenAMethodIsGivenTwice_thenItIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> points.and("open", audit))
                .withMessage("entry point \"open\" was given twice, a method has one step: rename one of the two");
        assertThat(points.find("open")).isSameAs(open);
    }

    @Test
    void whenAPartIsNull_thenItIsRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> EntryPoints.of(null, open))
                .withMessage("method is null: an entry point needs a name");
        assertThatNullPointerException()
                .isThrownBy(() -> points.and("close", null))
                .withMessage("step of entry point \"close\" is null: give the function to call");
        assertThatNullPointerException()
                .isThrownBy(() -> Process.of(null))
                .withMessage("step is null: Process.of needs the function to call at each step");
    }

    @Test
    void whenMoreAreAdded_thenTheFirstOnesStayAsTheyWere() {
        EntryPoints one = EntryPoints.of("open", open);
        assertThat(one.and("audit", audit).find("audit")).isSameAs(audit);
        assertThatThrownBy(() -> one.find("audit")).isInstanceOf(UnknownMethodException.class);
    }

    /** The caller of submit chooses the entry point, and is told if it does not exist. */
    @AtWorkers
    void whenSubmitted_thenTheMethodDecidesWhichStepRuns(int workers) {
        try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
            assertThat(scheduler.submit(new Ledger(), "open").result())
                    .succeedsWithin(LIMIT)
                    .isEqualTo("opened");
            assertThat(scheduler.submit(new Ledger(), "audit").result())
                    .succeedsWithin(LIMIT)
                    .isEqualTo("audited");
            assertThatThrownBy(() -> scheduler.submit(new Ledger(), "burn"))
                    .isInstanceOf(UnknownMethodException.class)
                    .hasMessageContaining("must be one of [open, audit]");
        }
    }

    private final class Ledger implements Process {
        private StepFunction step;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            step = points.find(method);
        }

        @Override
        public void step(Events events, StepOutput out) throws Exception {
            step.step(events, out);
        }
    }
}
