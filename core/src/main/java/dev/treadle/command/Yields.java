// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.command;

import dev.treadle.Command;
import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.StepOutput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the books of several commands in flight: hands out their tags, and says which are back. To wait for all, for any,
 * or for two of five.
 *
 * <pre>{@code
 * private final Yields quotes = new Yields();
 *
 * public void step(Events events, StepOutput out) {
 *     if (events.isFirst()) {
 *         shops.forEach(shop -> quotes.start(out, new Ask(shop, "quote", item), Duration.ofSeconds(1)));
 *     }
 *     for (Event event : events) {
 *         quotes.accept(event);
 *     }
 *     if (quotes.completed() >= 2 || quotes.isAllDone()) {
 *         out.done(best(quotes.completions()));
 *     }
 * }
 * }</pre>
 *
 * <p>A process may have several of these if their first tags lie apart. Not safe for use by several threads: it belongs to
 * one process.
 */
public final class Yields {
    private final Map<Long, @Nullable Completion> byTag = new LinkedHashMap<>();
    private long nextTag;
    private int inFlight;

    /** Makes books whose first tag is 1. */
    public Yields() {
        this(1);
    }

    /**
     * Makes books with another first tag.
     *
     * @param firstTag the first tag to hand out; each command gets the next
     */
    public Yields(long firstTag) {
        nextTag = firstTag;
    }

    /** Yields a command. Returns its tag. */
    public long start(StepOutput out, Command command) {
        long tag = nextTag;
        out.yield(command, tag);
        return started(tag);
    }

    /**
     * Yields a command that may take only so long. Returns its tag.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public long start(StepOutput out, Command command, Duration timeout) {
        long tag = nextTag;
        out.yield(command, tag, timeout);
        return started(tag);
    }

    private long started(long tag) {
        byTag.put(tag, null);
        nextTag++;
        inFlight++;
        return tag;
    }

    /**
     * Takes note of an event, if it is the completion of one of these commands.
     *
     * @return whether it was
     */
    public boolean accept(Event event) {
        Objects.requireNonNull(event, "event is null: pass each event of the step");
        if (!(event instanceof Completion completion)
                || !byTag.containsKey(completion.tag())
                || byTag.get(completion.tag()) != null) {
            return false;
        }
        byTag.put(completion.tag(), completion);
        inFlight--;
        return true;
    }

    /** Returns how many are still in flight. */
    public int inFlight() {
        return inFlight;
    }

    /** Returns how many are back, failed ones included. */
    public int completed() {
        return byTag.size() - inFlight;
    }

    /** Returns whether all that were started are back. */
    public boolean isAllDone() {
        return inFlight == 0;
    }

    /** Returns the completion with a tag, or nothing if it is still in flight or unknown. */
    public Optional<Completion> completion(long tag) {
        return Optional.ofNullable(byTag.get(tag));
    }

    /** Returns what is back, in the order of their tags. */
    public List<Completion> completions() {
        var back = new ArrayList<Completion>(completed());
        for (Completion completion : byTag.values()) {
            if (completion != null) {
                back.add(completion);
            }
        }
        return back;
    }

    /** Forgets those that are back, to start a new round. Those in flight stay. */
    public void forgetCompleted() {
        byTag.values().removeIf(Objects::nonNull);
    }

    @Override
    public String toString() {
        return "Yields[" + inFlight + " in flight, " + completed() + " back]";
    }
}
