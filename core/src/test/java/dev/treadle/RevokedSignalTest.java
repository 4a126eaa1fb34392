// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Signals that are given to a process and taken back before it has seen them. */
class RevokedSignalTest {
    private final Hold.Held held = new Hold.Held();
    private final SteppedScheduler stepped = Scheduler.builder()
            .workers(1)
            .handlers(new CommandRegistry().register(Hold.class, held))
            .stepped();
    private final List<String> seen = new ArrayList<>();
    private final ProcessRef process = stepped.scheduler()
            .submit(
                    Process.of((events, out) -> {
                        if (events.isEmpty()) {
                            out.yield(new Hold(), 1);
                        }
                        events.forEach(event -> seen.add(event.getClass().getSimpleName()));
                    }),
                    "main");

    @AfterEach
    void close() {
        stepped.close();
    }

    private static Signal signal() {
        return Signal.of(Signal.Kind.EXIT, "somebody ended", null);
    }

    /** P5: messages wait for a process that awaits, and a signal that was taken back does not end its wait. */
    @Test
    void p5_oneThatWasTakenBackDoesNotEndAWait() throws Exception {
        stepped.runAll();
        process.send("waits", null);
        Signal taken = signal();
        stepped.scheduler().signal(process.pid(), taken);
        taken.revoke();
        stepped.runAll();
        assertThat(seen).isEmpty();

        held.take().complete(null);
        stepped.runAll();
        assertThat(seen).containsExactly("Message", "YieldInFlight");
    }

    @Test
    void oneThatStandsIsSeenBesideThoseThatDoNot() {
        stepped.runAll();
        for (int i = 0; i < 3; i++) {
            Signal given = signal();
            stepped.scheduler().signal(process.pid(), given);
            if (i != 1) {
                given.revoke();
            }
        }
        stepped.runAll();
        assertThat(seen).containsExactly("Signal");
    }

    @Test
    void aSignalIsGivenOnce() {
        Signal given = signal();
        stepped.scheduler().signal(process.pid(), given);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stepped.scheduler().signal(process.pid(), given))
                .withMessageContainingAll("Signal[EXIT", "given before", "Signal.of");
    }
}
