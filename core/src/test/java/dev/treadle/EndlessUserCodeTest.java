// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.UserCode.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * S8, P6: user code that does not return, wherever it is called, holds up its own process and nobody else: the neighbour
 * answers while it lasts, even if there is one worker only, and all is as before when it is over.
 */
class EndlessUserCodeTest {
    /** How it does not return. */
    enum Way {
        BLOCKS,
        LOOPS
    }

    private static final long LIMIT_SECONDS = Soon.LIMIT.toSeconds();

    private final CountDownLatch release = new CountDownLatch(1);
    private volatile boolean released;

    @AfterEach
    void release() {
        released = true;
        release.countDown();
    }

    private void stay(Way way) throws InterruptedException {
        if (way == Way.BLOCKS) {
            assertThat(release.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } else {
            while (!released) {
                Thread.onSpinWait();
            }
        }
    }

    static List<Arguments> everywhere() {
        var all = new ArrayList<Arguments>();
        for (Place place : Place.values()) {
            for (Way way : Way.values()) {
                for (int workers : new int[] {1, 2, 8}) {
                    all.add(Arguments.of(place, way, workers));
                }
            }
        }
        return all;
    }

    @ParameterizedTest(name = "{0} {1}, {2} workers")
    @MethodSource("everywhere")
    void s8_codeThatDoesNotReturnHoldsUpItsOwnProcessAlone(Place place, Way way, int workers) throws Exception {
        try (var user = new UserCode(place, workers, () -> stay(way))) {
            user.neighbour.ping();
            user.go();
            user.neighbour.ping();
            Object pong = Soon.get(user.scheduler
                    .submit(Process.of((events, out) -> out.done("pong")), "main")
                    .result());
            assertThat(pong).as("a new process runs as well").isEqualTo("pong");
            release();

            assertThat(Soon.exitOf(user.process()).result()).isEqualTo("done");
            user.neighbour.ping();
            assertThat(user.isWhole()).isTrue();
            Soon.until(
                    "only the neighbour is left", () -> user.scheduler.stats().alive() == 1);
        }
    }

    /** Y1: the timeouts of others are kept while an onCancel action that a timeout has called does not return. */
    @AtWorkers
    void y1_anEndlessActionAfterATimeoutDoesNotDelayOtherTimeouts(int workers) throws Exception {
        var held = new Hold.Held();
        try (Scheduler scheduler = Scheduler.builder()
                .workers(workers)
                .slowStepLimit(Duration.ofMillis(20))
                .shutdownTimeout(Duration.ZERO)
                .handlers(new CommandRegistry().register(Hold.class, held))
                .start()) {
            scheduler.submit(new Yielder(out -> out.yield(new Hold(), 1, Duration.ofMillis(50))), "main");
            var called = new CountDownLatch(1);
            held.take().onCancel(() -> {
                called.countDown();
                awaitRelease();
            });
            assertThat(called.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            var other = new Yielder(out -> out.yield(new Hold(), 2, Duration.ofMillis(1)));
            ProcessRef process = scheduler.submit(other, "main");

            assertThat(other.finish(process, 1))
                    .singleElement()
                    .satisfies(
                            completion -> assertThat(completion.error()).isInstanceOf(CommandTimeoutException.class));
        }
    }

    /** S8: a listener that does not return when it is told of a slow step does not keep the others from going on. */
    @Test
    void s8_anEndlessListenerDoesNotHoldUpTheOthersBehindASlowStep() throws Exception {
        var told = new CountDownLatch(1);
        var listener = new SchedulerListener() {
            @Override
            public void onSlowStep(SlowStep step) {
                told.countDown();
                awaitRelease();
            }
        };
        try (Scheduler scheduler = Scheduler.builder()
                .workers(1)
                .slowStepLimit(Duration.ofMillis(5))
                .shutdownTimeout(Duration.ZERO)
                .listener(listener)
                .start()) {
            Neighbour neighbour = Neighbour.moveInto(scheduler);
            ProcessRef slow = scheduler.submit(
                    Process.of((events, out) -> {
                        stay(Way.BLOCKS);
                        out.done("slow");
                    }),
                    "main");
            assertThat(told.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            neighbour.ping();
            release();

            assertThat(Soon.exitOf(slow).result()).isEqualTo("slow");
        }
    }

    private void awaitRelease() {
        try {
            stay(Way.BLOCKS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
