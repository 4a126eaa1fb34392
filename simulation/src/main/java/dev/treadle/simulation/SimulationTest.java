// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that is run with many seeds, several at once. Its method takes a {@link Simulation}, sets it up and runs it.
 *
 * <pre>{@code
 * @SimulationTest(seeds = 1_000)
 * void noMoneyIsLost(Simulation simulation) {
 *     simulation.faults(Faults.none().crash(0.01)).play(world -> { ... });
 * }
 * }</pre>
 *
 * <p>The first seed that fails is run again, to see whether it is the same twice, and then shrunk: the report has the shortest
 * run that was found to fail in the same way, and the line that replays it. A page that shows it is written to {@code
 * target/simulation}.
 *
 * <p>Each run has an instance of the test class of its own, so fields hold no state of another run. Methods that JUnit calls
 * before and after each test are called once for all seeds, on another instance.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Test
@ExtendWith(SimulationExtension.class)
public @interface SimulationTest {
    /** How many seeds are run. The system property {@code treadle.simulation.seeds} overrides it. */
    int seeds() default 100;

    /** The first seed; the others follow it. */
    long firstSeed() default 0;

    /** The line of a report, to run that and nothing else. */
    String replay() default "";

    /** Up to how many preemptions each run has; negative for half of the seeds at random and half with up to three. */
    int preemptions() default -1;

    /** How many seeds are run at once; 0 for one on each processor. */
    int threads() default 0;
}
