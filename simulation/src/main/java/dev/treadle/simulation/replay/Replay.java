// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.Pid;
import dev.treadle.Process;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Runs a process again as it was recorded, on the calling thread, and says at which event the code now does something else.
 *
 * <pre>{@code
 * ReplayReport report = Replay.of(Path.of("recordings"), Pid.parse("{main|7}"))
 *         .allow("com.acme.orders.**")
 *         .run(OrderBook::new);
 * System.out.println(report.text());
 * }</pre>
 *
 * <p>Set a breakpoint in the process, or in {@link #beforeStep}, and it is there with the state that it had. The process gets the
 * recorded events, times, random numbers and addresses; what it sends, spawns, replies and yields goes nowhere, and is compared
 * with what was recorded. The replay ends at the first difference.
 *
 * <p>Objects are made only of classes of the JDK, of Treadle, and of those that are {@linkplain #allow allowed}. A payload that
 * cannot be made is given to the process as a {@link PayloadText}, and the report says so.
 *
 * <p>Not safe for use by several threads.
 */
public final class Replay {
    private final RecordedLife life;
    private final List<PayloadCodec> codecs = new ArrayList<>();
    private final Map<Class<?>, Object> services = new HashMap<>();
    private TypeFilter filter = TypeFilter.DEFAULT;
    private LongConsumer beforeStep = step -> {};

    private Replay(RecordedLife life) {
        this.life = life;
    }

    /**
     * Returns the replay of a life.
     *
     * @throws IllegalArgumentException if its beginning is lost
     */
    public static Replay of(RecordedLife life) {
        if (!life.isReplayable()) {
            throw new IllegalArgumentException("the recording of " + life
                    + ": keep more files, or use keepOldest(), so that the beginning is still there");
        }
        return new Replay(life);
    }

    /**
     * Returns the replay of the last life of a process.
     *
     * @param recording the folder of a recorder, or one of its files
     * @param pid the process
     * @throws IOException if the recording cannot be read
     * @throws IllegalArgumentException if the process is not in it, or its beginning is lost
     */
    public static Replay of(Path recording, Pid pid) throws IOException {
        Recording read = Recording.read(recording);
        return of(read.life(pid)
                .orElseThrow(() -> new IllegalArgumentException("process " + pid + " is not in " + recording
                        + ": Recording.read(...).text() lists those that are")));
    }

    /**
     * Allows objects of more classes to be made. Do so for recordings that you trust: to make an object is to run its code.
     *
     * @param pattern a class with those nested in it, {@code com.acme.*} for a package, or {@code com.acme.**} for all below it
     */
    public Replay allow(String pattern) {
        filter = filter.allow(pattern);
        return this;
    }

    /** Adds a codec that the recorder had. */
    public Replay codec(PayloadCodec codec) {
        codecs.add(Objects.requireNonNull(codec, "codec is null: leave it out"));
        return this;
    }

    /** Sets what the process gets from {@code context.service}: calls of services are not recorded. */
    public <T> Replay service(Class<T> type, T standIn) {
        Objects.requireNonNull(type, "type is null: give the class by which the process asks for it");
        services.put(type, Objects.requireNonNull(standIn, "standIn is null: leave it out"));
        return this;
    }

    /** Sets what is called before each step, with its number: a place for a breakpoint. */
    public Replay beforeStep(LongConsumer action) {
        beforeStep = Objects.requireNonNull(action, "action is null: leave it out");
        return this;
    }

    /** Runs it with a process that this makes, and that nobody has used. */
    public ReplayReport run(Supplier<? extends Process> process) {
        Objects.requireNonNull(process, "process is null: give what makes it");
        Process made = Objects.requireNonNull(process.get(), "the supplier made null: make the process to replay");
        return new ReplayRun(life, made, filter, codecs, services, beforeStep).run();
    }
}
