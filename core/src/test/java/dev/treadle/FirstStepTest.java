// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link Events#isFirst} is true once in the life of a process, with or without events. */
class FirstStepTest {
    private final SteppedScheduler stepped = Scheduler.builder().workers(1).stepped();
    private final List<String> steps = new ArrayList<>();

    private Process noting(String name) {
        return Process.of((events, out) -> {
            steps.add(name + " " + (events.isFirst() ? "first" : "later") + " " + events.size());
            for (Event event : events) {
                if (event instanceof Message message && message.topic().equals("again")) {
                    out.again();
                } else if (event instanceof Message message && message.topic().equals("upgrade")) {
                    out.upgrade(noting("next"), "main");
                }
            }
        });
    }

    @Test
    void givenNoMessage_thenTheFirstStepIsTheOneWithoutEvents() {
        ProcessRef ref = stepped.scheduler().submit(noting("it"), "main");
        stepped.runAll();
        ref.send("again", null);
        stepped.runAll();

        assertThat(steps).containsExactly("it first 0", "it later 1", "it later 0");
    }

    @Test
    void givenAMessageThatWasQuick_thenTheFirstStepHasIt() {
        stepped.scheduler().submit(noting("it"), "main").send("hello", null);
        stepped.runAll();

        assertThat(steps).containsExactly("it first 1");
    }

    @Test
    void givenAnUpgrade_thenTheNextOneHasAFirstStepOfItsOwn() {
        ProcessRef ref = stepped.scheduler().submit(noting("it"), "main");
        ref.send("upgrade", null);
        ref.send("hello", null);
        stepped.runAll();
        ref.send("hello", null);
        stepped.runAll();

        assertThat(steps).containsExactly("it first 2", "next first 0", "next later 1");
    }

    @Test
    void givenAUnitTest_thenItSaysWhichStepItIs() {
        assertThat(Events.ofFirst(Message.of("hello", null)).isFirst()).isTrue();
        assertThat(Events.of(Message.of("hello", null)).isFirst()).isFalse();
    }
}
