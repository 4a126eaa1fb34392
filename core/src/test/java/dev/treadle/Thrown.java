// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.io.IOException;

/** What user code may throw: one of each kind that some catch could treat differently. */
@SuppressWarnings("ImmutableEnumChecker") // nobody changes them
enum Thrown {
    UNCHECKED(new IllegalStateException("unchecked")),
    CHECKED(new IOException("checked")),
    INTERRUPTED(new InterruptedException("interrupted")),
    ASSERTION(new AssertionError("assertion")),
    LINKAGE(new NoClassDefFoundError("linkage")),
    OUT_OF_MEMORY(new OutOfMemoryError("pretended")),
    STACK_OVERFLOW(new StackOverflowError("pretended")),
    BARE_THROWABLE(new Throwable("neither an exception nor an error")),
    UNPRINTABLE(new Unprintable()),
    UNPRINTABLE_WITH_ERROR(new UnprintableWithError());

    private final Throwable throwable;

    Thrown(Throwable throwable) {
        this.throwable = throwable;
    }

    Throwable throwable() {
        return throwable;
    }

    /** Throws it, declared or not. */
    void throwIt() {
        sneak(throwable);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the point: the compiler must not see what it is
    private static <T extends Throwable> void sneak(Throwable throwable) throws T {
        throw (T) throwable;
    }

    /** Whoever asks for its words gets an exception. */
    private static final class Unprintable extends RuntimeException {
        @Override
        public String getMessage() {
            throw new UnsupportedOperationException("this message cannot be asked for");
        }

        @Override
        public String toString() {
            throw new UnsupportedOperationException("this exception cannot be printed");
        }
    }

    /** Whoever asks for its words gets an error. */
    private static final class UnprintableWithError extends Error {
        @Override
        public String getMessage() {
            throw new AssertionError("this message cannot be asked for");
        }

        @Override
        public String toString() {
            throw new AssertionError("this error cannot be printed");
        }
    }
}
