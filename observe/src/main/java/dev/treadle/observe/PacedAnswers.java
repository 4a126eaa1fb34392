// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Answers questions that are dear to answer: who asks the same again soon gets the same answer. The latest questions are
 * known; a new one is answered at once, but one after the other, so many clients cost no more processors than one. Any
 * thread.
 *
 * @param <Q> what is asked
 * @param <A> what is answered
 */
final class PacedAnswers<Q, A> {
    private static final int QUESTIONS_MAX = 32;

    private final Function<Q, A> look;

    /** Under the lock of this object, the longest unasked first. */
    private final Map<Q, Paced<A>> latest = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Q, Paced<A>> eldest) {
            return size() > QUESTIONS_MAX;
        }
    };

    private final Object looking = new Object();

    PacedAnswers(Function<Q, A> look) {
        this.look = look;
    }

    Paced.Known<A> answer(Q question) {
        Paced<A> paced;
        synchronized (this) {
            paced = latest.computeIfAbsent(question, asked -> new Paced<>(() -> look(asked)));
        }
        return paced.get();
    }

    private A look(Q question) {
        synchronized (looking) {
            return look.apply(question);
        }
    }
}
