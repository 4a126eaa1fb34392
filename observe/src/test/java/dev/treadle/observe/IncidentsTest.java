// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.DeadLetter;
import dev.treadle.Pid;
import dev.treadle.ProcessExit;
import dev.treadle.SlowStep;
import dev.treadle.relay.Envelope;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is remembered of what went wrong: the latest, in words, whatever user code does. */
class IncidentsTest {
    private static final Pid PID = Pid.of("users", 7);

    private final Incidents incidents = new Incidents();

    /** Fails whoever looks at it. */
    private static final class Trap extends RuntimeException {
        @Override
        public String getMessage() {
            throw new IllegalStateException("trap");
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new StackOverflowError();
        }

        @Override
        public String toString() {
            throw new IllegalStateException("trap");
        }
    }

    private static DeadLetter letter(Object payload) {
        return new DeadLetter(new Envelope(PID, Pid.of("users", 1), "buy", payload), DeadLetter.Reason.MAILBOX_FULL);
    }

    @Test
    void aSlowStepIsKeptWithItsStack() {
        var frame = new StackTraceElement("com.acme.Orders", "price", "Orders.java", 42);
        List<StackTraceElement> deep = Collections.nCopies(100, frame);

        incidents.onSlowStep(new SlowStep(PID, Duration.ofMillis(120), 3, deep));

        Incident slow = incidents.slowSteps().get(0);
        assertThat(slow.pid()).isEqualTo(PID);
        assertThat(slow.what()).isEqualTo("held worker 3 for 120 ms or more");
        assertThat(slow.details())
                .hasSize(Text.FRAMES_MAX + 1)
                .contains("com.acme.Orders.price(Orders.java:42)", "36 more");
    }

    @Test
    void onlyFailuresAreFailures() {
        incidents.onComplete(new ProcessExit(PID, ProcessExit.Kind.DONE, null, null));
        incidents.onComplete(new ProcessExit(PID, ProcessExit.Kind.TERMINATED, null, new IllegalStateException("x")));
        assertThat(incidents.failureCount()).isZero();

        incidents.onComplete(new ProcessExit(PID, ProcessExit.Kind.FAILED, null, new IllegalStateException("broken")));

        assertThat(incidents.failures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.what()).isEqualTo("java.lang.IllegalStateException: broken"))
                .satisfies(failure -> assertThat(failure.details().get(0)).contains("IncidentsTest"));
    }

    @Test
    void codeOfUsersThatFailsHarmsNobody() {
        incidents.onComplete(new ProcessExit(PID, ProcessExit.Kind.FAILED, null, new Trap()));
        incidents.onDeadLetter(letter(new Trap()));

        assertThat(incidents.failures().get(0).what()).contains("Trap", "cannot be read");
        assertThat(incidents.deadLetters().get(0).details()).contains("payload " + Trap.class.getTypeName());
    }

    @Test
    void aDeadLetterTellsWhyAndWhatButKeepsNoPayload() {
        incidents.onDeadLetter(letter("x".repeat(1_000)));

        Incident letter = incidents.deadLetters().get(0);

        assertThat(letter.what()).isEqualTo("MAILBOX_FULL: message \"buy\"");
        assertThat(letter.details()).contains("from {users|1}");
        assertThat(letter.details().get(0)).hasSizeLessThan(250).contains("xxx");
    }

    @Test
    void aStormIsCountedButNotWrittenDown() {
        for (int i = 0; i < 100_000; i++) {
            incidents.onDeadLetter(letter(i));
        }

        assertThat(incidents.deadLetterCount()).isEqualTo(100_000);
        assertThat(incidents.deadLetters()).hasSize(IncidentLog.KEPT_MAX);
    }

    @Test
    void theNewestComesFirstAndTheOldestGoes() {
        for (int i = 0; i <= IncidentLog.KEPT_MAX; i++) {
            incidents.onDeadLetter(letter(i));
        }

        List<Incident> latest = incidents.deadLetters();
        assertThat(latest).hasSize(IncidentLog.KEPT_MAX);
        assertThat(latest.get(0).details().get(0)).isEqualTo("payload 50 (Integer)");
        assertThat(latest.get(IncidentLog.KEPT_MAX - 1).details().get(0)).isEqualTo("payload 1 (Integer)");
    }
}
