// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import dev.treadle.simulation.Choices.Choice;
import java.util.ArrayList;
import java.util.List;

/** Looks for a smaller run that fails in the same way: fewer decisions that are not plain, and smaller ones. */
final class Shrinker {
    /*
     * A run that fails is a list of decisions. Parts of it are left out, halves first and single ones last, and what still
     * fails is gone on with; then what is left is moved to an earlier moment, and the values are made smaller. A candidate may decide something else than it was told,
     * since it takes another way: what counts is what it did decide, and that it is less than before.
     */
    private static final int ATTEMPTS_MAX = 3_000;

    private final Explorer explorer;
    private int attemptsLeft = ATTEMPTS_MAX;

    Shrinker(Explorer explorer) {
        this.explorer = explorer;
    }

    Explorer.Attempt shrink(Explorer.Attempt failing) {
        Explorer.Attempt best = failing;
        Explorer.Attempt before;
        do {
            before = best;
            best = leaveOut(best);
            best = leaveOutAlike(best);
            best = moveEarlier(best);
            best = makeSmaller(best);
        } while (best != before && attemptsLeft > 0);
        return best;
    }

    private Explorer.Attempt leaveOut(Explorer.Attempt failing) {
        Explorer.Attempt best = failing;
        int chunk = Math.max(1, best.choices().made().size());
        while (true) {
            int start = 0;
            while (start < best.choices().made().size() && attemptsLeft > 0) {
                List<Choice> made = best.choices().made();
                var candidate = new ArrayList<>(made.subList(0, start));
                candidate.addAll(made.subList(Math.min(made.size(), start + chunk), made.size()));
                Explorer.Attempt tried = tryOut(best, candidate);
                if (tried == best) {
                    start += chunk;
                } else {
                    best = tried;
                }
            }
            if (chunk == 1) {
                return best;
            }
            chunk /= 2;
        }
    }

    private Explorer.Attempt makeSmaller(Explorer.Attempt failing) {
        Explorer.Attempt best = failing;
        for (int i = 0; i < best.choices().made().size() && attemptsLeft > 0; i++) {
            Choice choice = best.choices().made().get(i);
            for (int value = 1; value < choice.value(); value = Math.max(value + 1, (value + choice.value()) / 2)) {
                var candidate = new ArrayList<>(best.choices().made());
                candidate.set(i, new Choice(choice.kind(), choice.index(), value));
                Explorer.Attempt tried = tryOut(best, candidate);
                if (tried != best) {
                    best = tried;
                    break;
                }
            }
        }
        return best;
    }

    /** Two that must be the same, such as two moments that coincide, can only be left out together. */
    private Explorer.Attempt leaveOutAlike(Explorer.Attempt failing) {
        Explorer.Attempt best = failing;
        for (int i = 0; i < best.choices().made().size() && attemptsLeft > 0; i++) {
            Choice one = best.choices().made().get(i);
            var candidate = new ArrayList<>(best.choices().made());
            candidate.removeIf(other -> other.kind() == one.kind() && other.value() == one.value());
            if (candidate.size() < best.choices().made().size() - 1) {
                best = tryOut(best, candidate);
            }
        }
        return best;
    }

    /** A crash in the third step tells the same as one in the hundredth, with fewer events before it. */
    private Explorer.Attempt moveEarlier(Explorer.Attempt failing) {
        Explorer.Attempt best = failing;
        for (int i = 0; i < best.choices().made().size() && attemptsLeft > 0; i++) {
            Choice choice = best.choices().made().get(i);
            for (int index = 0; index < choice.index(); index = Math.max(index + 1, index * 5 / 4)) {
                var candidate = new ArrayList<>(best.choices().made());
                candidate.set(i, new Choice(choice.kind(), index, choice.value()));
                Explorer.Attempt tried = tryOut(best, candidate);
                if (tried != best) {
                    best = tried;
                    break;
                }
            }
        }
        return best;
    }

    /** Returns the attempt if it fails likewise and is less, else the best so far. */
    private Explorer.Attempt tryOut(Explorer.Attempt best, List<Choice> candidate) {
        attemptsLeft--;
        Explorer.Attempt tried =
                explorer.attempt(Choices.replaying(best.choices().seed(), candidate));
        return tried.isLike(best) && isLess(tried, best) ? tried : best;
    }

    private static boolean isLess(Explorer.Attempt a, Explorer.Attempt b) {
        int byChoices =
                Integer.compare(a.choices().made().size(), b.choices().made().size());
        int byEvents = Long.compare(a.trace().length(), b.trace().length());
        int byValues = Long.compare(sum(a.choices().made()), sum(b.choices().made()));
        return byChoices != 0 ? byChoices < 0 : byEvents != 0 ? byEvents < 0 : byValues < 0;
    }

    private static long sum(List<Choice> choices) {
        return choices.stream().mapToLong(Choice::value).sum();
    }
}
