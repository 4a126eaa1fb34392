// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.run;

import dev.treadle.cli.DurationConverter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import picocli.CommandLine.TypeConversionException;

/**
 * A mapping of the file, read key by key. What is wrong is collected, and reading goes on with a value that does no harm; so
 * all problems are found in one go. {@link #end} complains of keys that nobody asked for.
 */
final class Section {
    private static final int TYPO_DISTANCE_MAX = 3;

    private final Node node;
    private final String path;
    private final Problems problems;
    private final Variables variables;
    private final Map<String, Node> values = new LinkedHashMap<>();
    private final Map<String, Node> keys = new LinkedHashMap<>();
    private final List<String> known = new ArrayList<>();

    Section(Node node, String path, Problems problems, Variables variables) {
        this.node = node;
        this.path = path;
        this.problems = problems;
        this.variables = variables;
        if (node instanceof MappingNode mapping) {
            mapping.getValue().forEach(this::add);
        } else if (!isNull(node)) {
            problems.add(node, path, "was " + kind(node) + ", must be keys with values: write \"key: value\" below it");
        }
    }

    private void add(NodeTuple tuple) {
        String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
        if (keys.putIfAbsent(key, tuple.getKeyNode()) != null) {
            problems.add(tuple.getKeyNode(), path(key), "is there twice, must be there once: remove one of the two");
        }
        values.put(key, tuple.getValueNode());
    }

    int line() {
        return Problems.line(node);
    }

    /** Returns the line of a key, or that of the section. */
    int line(String key) {
        Node at = keys.get(key);
        return at == null ? line() : Problems.line(at);
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    private @Nullable Node value(String key) {
        known.add(key);
        Node value = values.get(key);
        return value == null || isNull(value) ? null : value;
    }

    /** Returns a text, or null if it is not there. */
    @Nullable
    String text(String key) {
        Node value = value(key);
        return value == null ? null : scalar(value, path(key));
    }

    String text(String key, String otherwise) {
        String text = text(key);
        return text == null ? otherwise : text;
    }

    /** Returns a text that must be there; an empty one if it is not. */
    String required(String key, String remedy) {
        String text = text(key);
        if (text == null) {
            problems.add(node, path(key), "is missing: " + remedy);
            return "";
        }
        return text;
    }

    /** Returns a whole number, or null if it is not there. */
    @Nullable
    Integer number(String key, int min, String remedy) {
        String text = text(key);
        if (text == null) {
            return null;
        }
        try {
            int number = Integer.parseInt(text.replace("_", ""));
            if (number >= min) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        complain(key, "was \"" + text + "\", must be a whole number of at least " + min + ": " + remedy);
        return null;
    }

    /** Returns a duration such as 10s, or null if it is not there. */
    @Nullable
    Duration duration(String key) {
        String text = text(key);
        if (text == null) {
            return null;
        }
        try {
            return new DurationConverter().convert(text);
        } catch (TypeConversionException e) {
            complain(key, String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** Returns one of an enum's values, or null if it is not there. */
    <E extends Enum<E>> @Nullable E choice(String key, Class<E> type) {
        String text = text(key);
        if (text == null) {
            return null;
        }
        var names = new ArrayList<String>();
        for (E each : type.getEnumConstants()) {
            String name = each.name().toLowerCase(Locale.ROOT).replace('_', '-');
            if (name.equals(text)) {
                return each;
            }
            names.add(name);
        }
        complain(key, "was \"" + text + "\", must be one of " + names + suggestion(text, names));
        return null;
    }

    /** Returns a list of texts; one text alone is a list of one. */
    List<String> texts(String key) {
        Node value = value(key);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof SequenceNode sequence)) {
            return List.of(scalar(value, path(key)));
        }
        return sequence.getValue().stream().map(item -> scalar(item, path(key))).toList();
    }

    /** Returns a list of plain values: text, numbers, true and false, null. */
    List<@Nullable Object> plainValues(String key) {
        Node value = value(key);
        if (value == null) {
            return List.of();
        }
        var found = new ArrayList<@Nullable Object>();
        for (Node item : value instanceof SequenceNode sequence ? sequence.getValue() : List.of(value)) {
            found.add(plain(item, path(key)));
        }
        return found;
    }

    private @Nullable Object plain(Node item, String at) {
        String text = scalar(item, at);
        if (!(item instanceof ScalarNode scalar) || scalar.getScalarStyle() != ScalarStyle.PLAIN) {
            return text;
        }
        if (text.equals("null") || text.equals("~")) {
            return null;
        }
        if (text.equals("true") || text.equals("false")) {
            return Boolean.valueOf(text);
        }
        try {
            long number = Long.parseLong(text);
            return number == (int) number ? (Object) (int) number : (Object) number;
        } catch (NumberFormatException e) {
            // not a whole number
        }
        return text.matches("[-+]?[0-9]+\\.[0-9]+([eE][-+]?[0-9]+)?") ? (Object) Double.valueOf(text) : text;
    }

    /** Returns the sections below a key by their name, in order. */
    Map<String, Section> sections(String key) {
        Node value = value(key);
        if (value == null) {
            return Map.of();
        }
        var below = new Section(value, path(key), problems, variables);
        var found = new LinkedHashMap<String, Section>();
        below.values.forEach((name, node) -> found.put(name, new Section(node, below.path(name), problems, variables)));
        return found;
    }

    /** Returns the section below a key, or null if it is not there. */
    @Nullable
    Section section(String key) {
        Node value = value(key);
        return value == null ? null : new Section(value, path(key), problems, variables);
    }

    void complain(String key, String problem) {
        problems.add(line(key), path(key), problem);
    }

    /** Complains of keys that were not asked for. */
    void end() {
        keys.forEach((key, at) -> {
            if (!known.contains(key)) {
                problems.add(at, path(key), "is not known, known are " + known + suggestion(key, known));
            }
        });
    }

    /** Says which one was meant, if one is near. */
    static String suggestion(String wrong, List<String> right) {
        return right.stream()
                .filter(name -> distance(wrong, name) <= Math.min(TYPO_DISTANCE_MAX, name.length() / 2))
                .min(Comparator.comparingInt(name -> distance(wrong, name)))
                .map(name -> ": did you mean \"" + name + "\"?")
                .orElse(": use one of these");
    }

    /** How many letters have to be added, removed or changed. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }

    private String scalar(Node value, String at) {
        if (!(value instanceof ScalarNode scalar)) {
            problems.add(value, at, "was " + kind(value) + ", must be a single value: write \"key: value\"");
            return "";
        }
        try {
            return variables.fill(scalar.getValue());
        } catch (IllegalArgumentException e) {
            problems.add(value, at, String.valueOf(e.getMessage()));
            return "";
        }
    }

    private String path(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private static boolean isNull(Node node) {
        return node instanceof ScalarNode scalar
                && scalar.getScalarStyle() == ScalarStyle.PLAIN
                && List.of("", "null", "~").contains(scalar.getValue());
    }

    private static String kind(Node node) {
        if (node instanceof ScalarNode scalar) {
            return "\"" + scalar.getValue() + "\"";
        }
        return node instanceof SequenceNode ? "a list" : "keys with values";
    }
}
