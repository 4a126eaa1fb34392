// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.vt;

import java.util.concurrent.ThreadFactory;

/** Makes virtual threads. */
final class VirtualThreads {
    private VirtualThreads() {}

    /** Returns a factory, which is called without reflection. */
    static ThreadFactory factory() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            return (ThreadFactory) type.getMethod("factory").invoke(builder);
        } catch (ReflectiveOperationException none) {
            throw new UnsupportedOperationException(
                    "this JVM, " + System.getProperty("java.version")
                            + ", has no virtual threads: use a JDK 21 or newer",
                    none);
        }
    }
}
