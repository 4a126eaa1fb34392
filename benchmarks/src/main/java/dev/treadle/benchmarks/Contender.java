// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

import dev.treadle.benchmarks.fj.FjPeer;
import dev.treadle.benchmarks.kotlin.KotlinPeer;
import dev.treadle.benchmarks.pekko.PekkoPeer;
import dev.treadle.benchmarks.pekkotyped.PekkoTypedPeer;
import dev.treadle.benchmarks.treadle.TreadlePeer;
import dev.treadle.benchmarks.vertx.VertxPeer;
import dev.treadle.benchmarks.vt.VtPeer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/** Who is measured: Treadle and its peers. */
@SuppressWarnings("ImmutableEnumChecker") // what starts them has no state
public enum Contender {
    /** Treadle. */
    TREADLE("treadle", "Treadle", TreadlePeer::new),
    /** Pekko classic. */
    PEKKO("pekko", "Apache Pekko, classic actors", PekkoPeer::new),
    /** Pekko typed. */
    PEKKO_TYPED("pekko-typed", "Apache Pekko, typed actors", PekkoTypedPeer::new),
    /** Kotlin. */
    KOTLIN("kotlin", "Kotlin coroutines with channels", KotlinPeer::new),
    /** Virtual threads. */
    VT("vt", "virtual threads with a park/unpark mailbox", workers -> new VtPeer()) {
        @Override
        public Optional<String> unable(Workload workload, int javaVersion) {
            return javaVersion >= 21 ? Optional.empty() : Optional.of("needs a JDK 21 or newer");
        }
    },
    /** Vert.x. */
    VERTX("vertx", "Vert.x 5, objects on event loops", VertxPeer::new) {
        @Override
        public Optional<String> unable(Workload workload, int javaVersion) {
            return EnumSet.of(Workload.FJCREATE, Workload.SKYNET, Workload.IDLE_MEMORY)
                            .contains(workload)
                    ? Optional.of("an object on an event loop has no mailbox and no lifecycle: nothing is created")
                    : Optional.empty();
        }
    },
    /** ForkJoinPool. */
    FJ("fj", "hand-made actors on ForkJoinPool with a JCTools mailbox", FjPeer::new);

    private final String label;
    private final String summary;
    private final Start start;

    Contender(String label, String summary, Start start) {
        this.label = label;
        this.summary = summary;
        this.start = start;
    }

    /** Returns the name as users write it. */
    public String label() {
        return label;
    }

    /** Returns what it is. */
    public String summary() {
        return summary;
    }

    /** Starts it with so many workers. */
    public Peer start(int workers) throws Exception {
        return start.with(workers);
    }

    /**
     * Returns why it cannot do a workload, or nothing if it can.
     *
     * @param javaVersion the feature version of the JVM that would run it
     */
    public Optional<String> unable(Workload workload, int javaVersion) {
        return Optional.empty();
    }

    /** Returns the one of that name. */
    public static Optional<Contender> of(String label) {
        return Arrays.stream(values())
                .filter(contender -> contender.label.equals(label))
                .findFirst();
    }

    /** Returns all but Treadle. */
    public static List<Contender> peers() {
        return List.copyOf(EnumSet.complementOf(EnumSet.of(TREADLE)));
    }

    private interface Start {
        Peer with(int workers) throws Exception;
    }
}
