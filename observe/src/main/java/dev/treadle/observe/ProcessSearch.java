// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.Pid;
import dev.treadle.ProcessView;
import dev.treadle.node.Node;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells which processes a search means. For one scan of one host, by one thread. */
final class ProcessSearch {
    /*
     * A million processes have few types, methods and sets of attributes, so what was found of one of them is kept. Names are
     * looked up the other way round: all names, once, and then the ids. Digits are compared as numbers; the text of a pid is
     * made only for a search that looks like one.
     */
    private static final int KEPT_MAX = 10_000;

    private final String wanted;
    private final boolean wantsAll;
    private final boolean hostMatches;
    private final boolean wantsPid;
    private final long digits;
    private final long digitsPower;
    private final String hostPrefix;
    private final Set<Long> named = new HashSet<>();
    private final Map<String, Boolean> ofText = new HashMap<>();
    private Map<String, Object> attributes = Map.of();
    private boolean ofAttributes;

    ProcessSearch(String search, String host, @Nullable Node node) {
        wanted = search.toLowerCase(Locale.ROOT);
        wantsAll = wanted.isEmpty();
        hostPrefix = "{" + host.toLowerCase(Locale.ROOT) + "|";
        hostMatches = hostPrefix.contains(wanted);
        wantsPid = wanted.indexOf('|') >= 0 || wanted.endsWith("}");
        boolean isNumber = !wantsAll && wanted.length() <= 18 && wanted.chars().allMatch(c -> c >= '0' && c <= '9');
        digits = isNumber ? Long.parseLong(wanted) : -1;
        digitsPower = isNumber ? (long) Math.pow(10, wanted.length()) : 0;
        if (!wantsAll && node != null) {
            node.names().forEach((name, pid) -> addNamed(name, pid, host));
        }
    }

    private void addNamed(String name, Pid pid, String host) {
        if (pid.host().equals(host) && contains(name)) {
            named.add(pid.id());
        }
    }

    boolean matches(ProcessView process) {
        return wantsAll
                || hostMatches
                || (digits >= 0 && containsDigits(process.id()))
                || (wantsPid && (hostPrefix + process.id() + "}").contains(wanted))
                || containsKept(process.type())
                || containsKept(process.method())
                || (!named.isEmpty() && named.contains(process.id()))
                || matchesAttributes(process.attributes());
    }

    private boolean containsDigits(long id) {
        boolean startsWithZero = wanted.charAt(0) == '0';
        long least = startsWithZero ? digitsPower : digitsPower / 10;
        for (long left = id; left >= least && left > 0; left /= 10) {
            if (left % digitsPower == digits) {
                return true;
            }
        }
        return false;
    }

    private boolean containsKept(String text) {
        Boolean known = ofText.get(text);
        if (known == null) {
            known = contains(text);
            if (ofText.size() < KEPT_MAX) {
                ofText.put(text, known);
            }
        }
        return known;
    }

    /** Text alone: to turn other values into text could run any code. Children share the map of their parent. */
    private boolean matchesAttributes(Map<String, Object> attributes) {
        if (attributes.isEmpty()) {
            return false;
        }
        if (attributes != this.attributes) {
            this.attributes = attributes;
            ofAttributes =
                    attributes.values().stream().anyMatch(value -> value instanceof String text && contains(text));
        }
        return ofAttributes;
    }

    private boolean contains(String text) {
        return text.toLowerCase(Locale.ROOT).contains(wanted);
    }
}
