// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.UserCode.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * P1, P6, P7, Y6: whatever user code throws, and wherever it does, its own process gets to feel it and nobody else: the
 * neighbour answers before and after, and the workers live on.
 */
class BadUserCodeTest {
    /** What to throw. */
    enum Thrown {
        CHECKED {
            @Override
            Throwable get() {
                return new IOException("checked");
            }
        },
        UNCHECKED {
            @Override
            Throwable get() {
                return new IllegalStateException("unchecked");
            }
        },
        ERROR {
            @Override
            Throwable get() {
                return new LinkageError("error");
            }
        },
        NEITHER_EXCEPTION_NOR_ERROR {
            @Override
            Throwable get() {
                return new Throwable("plain");
            }
        },
        STACK_OVERFLOW {
            @Override
            Throwable get() {
                try {
                    return deeper(0);
                } catch (StackOverflowError e) {
                    return e;
                }
            }
        },
        OUT_OF_MEMORY {
            @Override
            Throwable get() {
                return new OutOfMemoryError();
            }
        },
        INTERRUPTED {
            @Override
            Throwable get() {
                Thread.currentThread().interrupt();
                return new InterruptedException();
            }
        },
        UNPRINTABLE {
            @Override
            Throwable get() {
                return new Unprintable();
            }
        };

        abstract Throwable get();

        @SuppressWarnings("InfiniteRecursion")
        private static Throwable deeper(int depth) {
            return deeper(depth + 1);
        }
    }

    /** Throws an Error for all that can be asked of it. */
    private static final class Unprintable extends RuntimeException {
        @Override
        public String getMessage() {
            throw new AssertionError("getMessage");
        }

        @Override
        public String getLocalizedMessage() {
            throw new AssertionError("getLocalizedMessage");
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new AssertionError("getStackTrace");
        }

        @Override
        public synchronized Throwable getCause() {
            throw new AssertionError("getCause");
        }

        @Override
        public int hashCode() {
            throw new AssertionError("hashCode");
        }

        @Override
        public boolean equals(Object other) {
            throw new AssertionError("equals");
        }

        @Override
        public String toString() {
            throw new AssertionError("toString");
        }
    }

    static List<Arguments> everywhere() {
        var all = new ArrayList<Arguments>();
        for (Place place : Place.values()) {
            for (Thrown thrown : Thrown.values()) {
                for (int workers : new int[] {1, 2, 8}) {
                    all.add(Arguments.of(place, thrown, workers));
                }
            }
        }
        return all;
    }

    private final LogRecorder log = new LogRecorder();

    @AfterEach
    void closeLog() {
        log.close();
    }

    @ParameterizedTest(name = "{0} throws {1}, {2} workers")
    @MethodSource("everywhere")
    void p6_whatUserCodeThrowsHurtsItsOwnProcessAlone(Place place, Thrown what, int workers) throws Exception {
        try (var user = new UserCode(place, workers, () -> {
            throw what.get();
        })) {
            user.neighbour.ping();
            user.go();
            user.neighbour.ping();

            switch (place) {
                case INIT, SPAWNED_INIT -> notStarted(user, what);
                case ON_START -> refused(user);
                case STEP, UPGRADE_INIT -> failed(user);
                case HANDLER, ASYNC_FUNCTION, BLOCKING_FUNCTION -> yieldFailed(user);
                default -> reportedOnly(user);
            }
            user.neighbour.ping();
            assertThat(user.isWhole()).as("all workers live").isTrue();
            Soon.until(
                    "only the neighbour is left", () -> user.scheduler.stats().alive() == 1);
        }
    }

    /** P1: the submission throws it, a checked exception in a wrapper; the process is closed and never was. */
    private static void notStarted(UserCode user, Thrown what) {
        Throwable failure = user.refusal();
        boolean wrapped = what == Thrown.CHECKED || what == Thrown.INTERRUPTED;
        assertThat(failure instanceof InitFailedException).isEqualTo(wrapped);
        assertThat((wrapped ? failure.getCause() : failure) == user.thrown).isTrue();
        assertThat(user.closes).hasValue(1);
        assertThat(user.listener.exits).noneMatch(exit -> exit.pid().equals(user.context.self()));
        assertThat(user.listener.starts).noneMatch(start -> start.pid().equals(user.context.self()));
    }

    private static void refused(UserCode user) {
        Throwable failure = user.refusal();
        assertThat(failure instanceof SubmissionRefusedException).isTrue();
        assertThat(((SubmissionRefusedException) failure).reason())
                .isEqualTo(SubmissionRefusedException.Reason.LISTENER);
        assertThat(failure.getCause() == user.thrown).isTrue();
        assertThat(user.closes).hasValue(1);
    }

    /** P6: what was thrown is the exit reason, as it is. */
    private static void failed(UserCode user) {
        ProcessExit exit = Soon.exitOf(user.process());
        assertThat(exit.kind()).isEqualTo(ProcessExit.Kind.FAILED);
        assertThat(exit.reason() == user.thrown).isTrue();
        assertThat(user.closes).hasValue(1);
        assertThat(user.listener.exits)
                .filteredOn(other -> other.pid().equals(exit.pid()))
                .hasSize(1);
    }

    /** Y6: the yield fails with it, and the process goes on. */
    private static void yieldFailed(UserCode user) {
        assertThat(Soon.exitOf(user.process()).result()).isEqualTo("done");
        assertThat(user.completion.error() == user.thrown).isTrue();
        assertThat(user.scheduler.stats().lateAnswers()).isZero();
        assertThat(user.closes).hasValue(1);
    }

    /** P7 and the like: it is counted and logged, and changes nothing. */
    private void reportedOnly(UserCode user) {
        ProcessRef process = user.process();
        assertThat(Soon.exitOf(process).result()).isEqualTo("done");
        assertThat(user.closes).hasValue(1);
        assertThat(user.listener.exits)
                .filteredOn(other -> other.pid().equals(process.pid()))
                .as("the other listener hears of it")
                .hasSize(1);
        Soon.until("logged", () -> log.text().contains("threw"));
        assertThat(user.scheduler.stats().listenerFailures()).isEqualTo(1);
    }
}
