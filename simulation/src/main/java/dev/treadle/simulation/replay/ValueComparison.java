// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Says whether two values are the same for whoever reads them: in sets and maps the order does not matter, in lambdas and what is
 * recorded as text only the class does, in throwables class and message.
 */
final class ValueComparison {
    private static final Pattern LAMBDA = Pattern.compile("\\$\\$Lambda.*");
    private static final Pattern IDENTITY = Pattern.compile("@[0-9a-f]{4,16}\\b");

    private final ValueBuilder builder;

    /** @param builder makes objects of what can be compared only by its own {@code equals} */
    ValueComparison(ValueBuilder builder) {
        this.builder = builder;
    }

    boolean same(Value a, Value b) {
        if (a instanceof Value.Scalar x && b instanceof Value.Scalar y) {
            return Objects.equals(x.value(), y.value());
        } else if (a instanceof Value.Bytes x && b instanceof Value.Bytes y) {
            return Arrays.equals(x.bytes(), y.bytes());
        } else if (a instanceof Value.Sequence x && b instanceof Value.Sequence y) {
            return x.kind() == y.kind()
                    && (x.kind() == Value.Kind.SET
                            ? sameInAnyOrder(x.items(), y.items(), 1)
                            : sameInOrder(x.items(), y.items()));
        } else if (a instanceof Value.Mapping x && b instanceof Value.Mapping y) {
            return sameInAnyOrder(x.keysAndValues(), y.keysAndValues(), 2);
        } else if (a instanceof Value.Constant x && b instanceof Value.Constant y) {
            return x.equals(y);
        } else if (a instanceof Value.Structure x && b instanceof Value.Structure y) {
            return x.type().equals(y.type()) && x.names().equals(y.names()) && sameInOrder(x.values(), y.values());
        } else if (a instanceof Value.Failure x && b instanceof Value.Failure y) {
            return x.type().equals(y.type()) && sameMessage(x.message(), y.message());
        } else if (a instanceof Value.Text || b instanceof Value.Text) {
            return typeOf(a).equals(typeOf(b));
        }
        return sameBytes(a, b);
    }

    private boolean sameInOrder(List<Value> a, List<Value> b) {
        if (a.size() != b.size()) {
            return false;
        }
        for (int i = 0; i < a.size(); i++) {
            if (!same(a.get(i), b.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Groups of so many values, each of which must be among the others once. */
    private boolean sameInAnyOrder(List<Value> a, List<Value> b, int group) {
        if (a.size() != b.size()) {
            return false;
        }
        var left = new ArrayList<List<Value>>();
        for (int i = 0; i < b.size(); i += group) {
            left.add(b.subList(i, i + group));
        }
        for (int i = 0; i < a.size(); i += group) {
            List<Value> wanted = a.subList(i, i + group);
            int found = 0;
            while (found < left.size() && !sameInOrder(wanted, left.get(found))) {
                found++;
            }
            if (found == left.size()) {
                return false;
            }
            left.remove(found);
        }
        return true;
    }

    private static boolean sameMessage(@Nullable String a, @Nullable String b) {
        return (a == null || b == null)
                ? Objects.equals(a, b)
                : IDENTITY.matcher(a).replaceAll("@").equals(IDENTITY.matcher(b).replaceAll("@"));
    }

    private static String typeOf(Value value) {
        return LAMBDA.matcher(ValueText.type(value)).replaceAll("");
    }

    private boolean sameBytes(Value a, Value b) {
        byte[] x = bytes(a);
        byte[] y = bytes(b);
        if (x == null || y == null || !typeOf(a).equals(typeOf(b))) {
            return false;
        }
        if (Arrays.equals(x, y)) {
            return true;
        }
        Object first = builder.build(a);
        Object second = builder.build(b);
        return !(first instanceof PayloadText) && Objects.deepEquals(first, second);
    }

    private static byte @Nullable [] bytes(Value value) {
        if (value instanceof Value.Serial serial) {
            return serial.bytes();
        }
        return value instanceof Value.Custom custom ? custom.bytes() : null;
    }
}
