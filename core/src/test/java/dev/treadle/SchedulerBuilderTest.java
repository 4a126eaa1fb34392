// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static dev.treadle.Soon.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The settings of a scheduler: each limit at its bound and one past it, and what a user reads then. */
class SchedulerBuilderTest {
    private static Arguments setting(UnaryOperator<SchedulerBuilder> change, String name) {
        return Arguments.of(name, change);
    }

    static Stream<Arguments> onePastTheBound() {
        return Stream.of(
                setting(b -> b.workers(0), "workers was 0, must be 1 to 1024: leave it unset to use one per processor"),
                setting(
                        b -> b.workers(1025),
                        "workers was 1025, must be 1 to 1024: leave it unset to use one per processor"),
                setting(b -> b.eventBudget(0), "eventBudget was 0, must be 1 to 65536: leave it unset to use 64"),
                setting(
                        b -> b.eventBudget(65_537),
                        "eventBudget was 65537, must be 1 to 65536: leave it unset to use 64"),
                setting(
                        b -> b.mailboxCapacity(-1),
                        "mailboxCapacity was -1, must be 0 to 134217726: use 0 for no bound of its own, or leave it unset"),
                setting(
                        b -> b.mailboxCapacity(134_217_727),
                        "mailboxCapacity was 134217727, must be 0 to 134217726:"
                                + " use 0 for no bound of its own, or leave it unset"),
                setting(b -> b.maxProcesses(-1), "maxProcesses was -1, must not be negative: use 0 for no limit"),
                setting(
                        b -> b.slowStepLimit(Duration.ZERO),
                        "slowStepLimit was PT0S, must be positive: leave it unset to use 100 ms"),
                setting(
                        b -> b.shutdownTimeout(Duration.ofNanos(-1)),
                        "shutdownTimeout was PT-0.000000001S, must not be negative: use zero to end by force at once"),
                setting(
                        b -> b.name(""),
                        "name was \"\", must be 1 to 64 of the characters a-z A-Z 0-9 . _ -: rename it"),
                setting(
                        b -> b.name("a|b"),
                        "name was \"a|b\", must be 1 to 64 of the characters a-z A-Z 0-9 . _ -: rename it"));
    }

    /** A message has the name, the value, the rule and the remedy. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("onePastTheBound")
    void whenASettingIsOnePastItsBound_thenStartRefusesIt(String problem, UnaryOperator<SchedulerBuilder> change) {
        SchedulerBuilder builder = change.apply(Scheduler.builder());
        String message = "Invalid scheduler settings:\n  " + problem;
        assertThatIllegalArgumentException().isThrownBy(builder::start).withMessage(message);
        assertThatIllegalArgumentException().isThrownBy(builder::stepped).withMessage(message);
    }

    /** The value in the message is the one that was given. */
    @Test
    void whenADurationIsNegative_thenTheMessageShowsItAsItWasGiven() {
        assertThatIllegalArgumentException()
                .isThrownBy(Scheduler.builder().slowStepLimit(Duration.ofSeconds(-5))::stepped)
                .withMessageMatching("(?s).*slowStepLimit was PT-5S, must be positive.*");
        assertThatIllegalArgumentException()
                .isThrownBy(Scheduler.builder().shutdownTimeout(Duration.ofSeconds(-7))::stepped)
                .withMessageMatching("(?s).*shutdownTimeout was PT-7S, must not be negative.*");
        assertThatIllegalArgumentException()
                .as("so negative that its nanoseconds do not fit")
                .isThrownBy(Scheduler.builder().shutdownTimeout(Duration.ofSeconds(Long.MIN_VALUE))::stepped)
                .withMessageContaining("shutdownTimeout was ");
    }

    static Stream<Arguments> atTheBound() {
        return Stream.of(
                setting(b -> b.workers(1), "1 worker"),
                setting(b -> b.workers(1024), "1024 workers"),
                setting(b -> b.eventBudget(1), "eventBudget 1"),
                setting(b -> b.eventBudget(65_536).workers(1), "eventBudget 65536"),
                setting(b -> b.mailboxCapacity(0), "mailboxCapacity 0"),
                setting(b -> b.mailboxCapacity(134_217_726), "mailboxCapacity 134217726"),
                setting(b -> b.maxProcesses(0), "maxProcesses 0"),
                setting(b -> b.maxProcesses(Integer.MAX_VALUE), "maxProcesses 2147483647"),
                setting(b -> b.slowStepLimit(Duration.ofNanos(1)), "slowStepLimit 1 ns"),
                setting(b -> b.slowStepLimit(Duration.ofSeconds(Long.MAX_VALUE)), "slowStepLimit for ever"),
                setting(b -> b.shutdownTimeout(Duration.ZERO), "shutdownTimeout 0"),
                setting(b -> b.shutdownTimeout(Duration.ofSeconds(Long.MAX_VALUE)), "shutdownTimeout for ever"),
                setting(b -> b.name("n".repeat(64)), "name of 64 characters"),
                setting(b -> b.seed(Long.MIN_VALUE), "smallest seed"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("atTheBound")
    void whenASettingIsAtItsBound_thenProcessesRun(String name, UnaryOperator<SchedulerBuilder> change) {
        try (SteppedScheduler stepped = change.apply(Scheduler.builder()).stepped()) {
            ProcessRef ref = stepped.scheduler().submit(TrackedProcess.done("ran"), "main");
            stepped.runAll();
            assertThat(ref.result()).as(name).isCompletedWithValue("ran");
        }
    }

    @Test
    void whenManySettingsAreWrong_thenAllAreReportedAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Scheduler.builder()
                        .name("not a name")
                        .workers(-1)
                        .eventBudget(-2)
                        .mailboxCapacity(-3)
                        .maxProcesses(-4)
                        .slowStepLimit(Duration.ZERO)
                        .shutdownTimeout(Duration.ofNanos(-1))
                        .start())
                .satisfies(e -> assertThat(e.getMessage().lines())
                        .hasSize(8)
                        .satisfiesExactly(
                                line -> assertThat(line).isEqualTo("Invalid scheduler settings:"),
                                line -> assertThat(line).startsWith("  name was \"not a name\", must be "),
                                line -> assertThat(line).startsWith("  workers was -1, must be "),
                                line -> assertThat(line).startsWith("  eventBudget was -2, must be "),
                                line -> assertThat(line).startsWith("  mailboxCapacity was -3, must be "),
                                line -> assertThat(line).startsWith("  maxProcesses was -4, must not be "),
                                line -> assertThat(line).startsWith("  slowStepLimit was PT0S, must be "),
                                line -> assertThat(line)
                                        .startsWith("  shutdownTimeout was PT-0.000000001S, must not be ")));
    }

    @Test
    void whenASettingIsNull_thenItIsRefusedAtOnce() {
        SchedulerBuilder builder = Scheduler.builder();
        assertThatNullPointerException()
                .isThrownBy(() -> builder.name(null))
                .withMessage("name is null: leave it unset to use \"main\"");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.handlers(null))
                .withMessage("registry is null: leave it unset for no handlers");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.listener(null))
                .withMessage("listener is null: leave it out");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.slowStepLimit(null))
                .withMessage("limit is null: leave it unset to use 100 ms");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.shutdownTimeout(null))
                .withMessage("timeout is null: leave it unset to use 10 s");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.time(null))
                .withMessage("time is null: leave it unset to use the machine's clocks");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.threads(null))
                .withMessage("threads is null: leave it unset to use daemon threads");
    }

    /** What stands in the table of defaults. */
    @Test
    void whenNothingIsSet_thenTheDefaultsAreThoseOfTheTable() {
        try (SteppedScheduler stepped = Scheduler.builder().stepped()) {
            SchedulerConfig config = stepped.scheduler().config;
            assertThat(config.name()).isEqualTo("main");
            assertThat(config.workers()).isEqualTo(Runtime.getRuntime().availableProcessors());
            assertThat(config.eventBudget()).isEqualTo(64);
            assertThat(config.mailboxCapacity()).isEqualTo(65_536);
            assertThat(config.maxProcesses()).isZero();
            assertThat(Duration.ofNanos(config.slowStepNanos())).hasMillis(100);
            assertThat(config.shutdownTimeout()).hasSeconds(10);
            assertThat(config.time()).isSameAs(TimeSource.SYSTEM);
        }
    }

    @Test
    void whenTheThreadFactoryMakesNone_thenStartSaysSo() {
        assertThatThrownBy(() ->
                        Scheduler.builder().name("host").threads(task -> null).start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the thread factory of scheduler \"host\" returned null, a scheduler needs its threads:"
                        + " give one that makes a thread at each call");
    }

    @Test
    void whenABuilderIsUsedTwice_thenEachSchedulerStandsAlone() {
        SchedulerBuilder builder = Scheduler.builder().workers(1);
        try (Scheduler first = builder.name("first").start();
                Scheduler second = builder.name("second").workers(2).start()) {
            assertThat(first.name()).isEqualTo("first");
            assertThat(first).hasToString("Scheduler[first, 1 workers, 0 processes]");
            assertThat(second).hasToString("Scheduler[second, 2 workers, 0 processes]");
            assertThat(first.submit(TrackedProcess.done(1), "main").result()).succeedsWithin(LIMIT);
            assertThat(second.stats().submitted()).isZero();
        }
    }
}
