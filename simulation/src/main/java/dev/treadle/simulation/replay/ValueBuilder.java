// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.Payloads;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the objects that {@link Value}s stand for, of the classes that a {@link TypeFilter} allows. What cannot be made
 * becomes a {@link PayloadText}, or a {@link RecordedFailure}, and the reason is told. One thread.
 */
final class ValueBuilder {
    /*
     * Sets and maps keep the order that they were written in, whatever the original's was: the order of a HashSet or of
     * Set.of may differ from one JVM to the next, and the process has seen the one that was written.
     */
    private final TypeFilter filter;
    private final Map<String, PayloadCodec> codecs = new HashMap<>();
    private final ClassLoader loader;
    private final Consumer<String> problems;

    ValueBuilder(TypeFilter filter, List<PayloadCodec> codecs, ClassLoader loader, Consumer<String> problems) {
        this.filter = filter;
        codecs.forEach(codec -> this.codecs.put(codec.name(), codec));
        this.loader = loader;
        this.problems = problems;
    }

    /** Something that cannot be made, and why. */
    private static final class Unbuildable extends Exception {
        private static final long serialVersionUID = 1L;

        Unbuildable(String why) {
            super(why, null, false, false);
        }
    }

    ClassLoader loader() {
        return loader;
    }

    /** Makes what a part of an entry stands for that was read. */
    @Nullable
    Object object(@Nullable Object part) {
        return part instanceof Value value ? build(value) : part;
    }

    @Nullable
    Object build(Value value) {
        try {
            return make(value);
        } catch (Unbuildable e) {
            String why = String.valueOf(e.getMessage());
            if (value instanceof Value.Failure failure) {
                problems.accept(ValueText.of(value) + " is given as a RecordedFailure: " + why);
                return new RecordedFailure(failure.type(), failure.message());
            }
            problems.accept(ValueText.of(value) + " is given as a PayloadText: " + why);
            return new PayloadText(ValueText.type(value), ValueText.of(value), why);
        }
    }

    private @Nullable Object make(Value value) throws Unbuildable {
        if (value instanceof Value.Scalar scalar) {
            return scalar.value();
        } else if (value instanceof Value.Bytes bytes) {
            return bytes.bytes().clone();
        } else if (value instanceof Value.Sequence sequence) {
            return sequence(sequence);
        } else if (value instanceof Value.Mapping mapping) {
            return mapping(mapping);
        } else if (value instanceof Value.Constant constant) {
            return constant(constant);
        } else if (value instanceof Value.Structure structure) {
            return structure(structure);
        } else if (value instanceof Value.Failure failure) {
            if (failure.bytes().length == 0) {
                throw new Unbuildable("it could not be serialized");
            }
            return deserialized(failure.type(), failure.bytes());
        } else if (value instanceof Value.Serial serial) {
            return deserialized(serial.type(), serial.bytes());
        } else if (value instanceof Value.Custom custom) {
            return custom(custom);
        }
        Value.Text text = (Value.Text) value;
        throw new Unbuildable("it was recorded as text, since " + text.why());
    }

    private @Nullable Object sequence(Value.Sequence sequence) throws Unbuildable {
        var items = new ArrayList<@Nullable Object>();
        for (Value item : sequence.items()) {
            items.add(build(item));
        }
        return switch (sequence.kind()) {
            case LIST -> sequence.type().equals("java.util.ArrayList") ? items : Collections.unmodifiableList(items);
            case SET -> set(sequence.type(), items);
            case ARRAY -> array(sequence.type(), items);
            case PAYLOADS -> Payloads.of(items.toArray());
            case OPTIONAL -> items.isEmpty() ? Optional.empty() : Optional.ofNullable(items.get(0));
        };
    }

    private static Object set(String type, Collection<@Nullable Object> items) {
        var set = new LinkedHashSet<>(items);
        return switch (type) {
            case "java.util.HashSet", "java.util.LinkedHashSet" -> set;
            case "java.util.TreeSet" -> isNatural(items) ? new TreeSet<>(items) : Collections.unmodifiableSet(set);
            default -> Collections.unmodifiableSet(set);
        };
    }

    private Object array(String type, List<@Nullable Object> items) throws Unbuildable {
        Class<?> component = type.startsWith("[") || type.equals("java.lang.Object") ? Object.class : load(type);
        try {
            Object array = Array.newInstance(component, items.size());
            for (int i = 0; i < items.size(); i++) {
                Array.set(array, i, items.get(i));
            }
            return array;
        } catch (IllegalArgumentException e) {
            throw new Unbuildable("one of its elements could not be made");
        }
    }

    private Object mapping(Value.Mapping mapping) {
        var map = new LinkedHashMap<@Nullable Object, @Nullable Object>();
        for (int i = 0; i < mapping.keysAndValues().size(); i += 2) {
            map.put(
                    build(mapping.keysAndValues().get(i)),
                    build(mapping.keysAndValues().get(i + 1)));
        }
        return switch (mapping.type()) {
            case "java.util.HashMap", "java.util.LinkedHashMap" -> map;
            case "java.util.TreeMap" -> isNatural(map.keySet()) ? new TreeMap<>(map) : Collections.unmodifiableMap(map);
            default -> Collections.unmodifiableMap(map);
        };
    }

    /** Whether these are in their natural order, so that a sorted collection of them was most likely made with it. */
    private static boolean isNatural(Collection<@Nullable Object> items) {
        Object before = null;
        for (Object item : items) {
            if (!(item instanceof Comparable<?>) || (before != null && before.getClass() != item.getClass())) {
                return false;
            }
            if (before != null) {
                @SuppressWarnings("unchecked") // the same class as the one before
                int order = ((Comparable<Object>) before).compareTo(item);
                if (order >= 0) {
                    return false;
                }
            }
            before = item;
        }
        return true;
    }

    private Object constant(Value.Constant constant) throws Unbuildable {
        Class<?> type = load(constant.type());
        Object[] constants = type.getEnumConstants();
        if (constants != null) {
            for (Object each : constants) {
                if (((Enum<?>) each).name().equals(constant.name())) {
                    return each;
                }
            }
        }
        throw new Unbuildable(constant.type() + " has no constant " + constant.name() + " now");
    }

    private Object structure(Value.Structure structure) throws Unbuildable {
        Class<?> type = load(structure.type());
        if (!type.isRecord()) {
            throw new Unbuildable(structure.type() + " is no record now");
        }
        RecordShape shape = RecordShape.of(type);
        if (!shape.names().equals(structure.names())) {
            throw new Unbuildable(
                    structure.type() + " had components " + structure.names() + ", now it has " + shape.names());
        }
        @Nullable Object[] components = new Object[structure.values().size()];
        for (int i = 0; i < components.length; i++) {
            components[i] = build(structure.values().get(i));
        }
        try {
            return shape.make(components);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new Unbuildable("making it failed with " + cause);
        }
    }

    private Object custom(Value.Custom custom) throws Unbuildable {
        PayloadCodec codec = codecs.get(custom.codec());
        if (codec == null) {
            throw new Unbuildable("codec \"" + custom.codec() + "\" wrote it: give that codec to the replay");
        }
        try {
            return codec.decode(custom.type(), custom.bytes());
        } catch (IOException | RuntimeException e) {
            throw new Unbuildable("codec \"" + custom.codec() + "\" failed with " + e);
        }
    }

    private Class<?> load(String type) throws Unbuildable {
        if (!filter.allows(type)) {
            throw new Unbuildable(
                    "class " + type + " is not allowed: allow(\"" + type + "\") if you trust the recording");
        }
        try {
            return Class.forName(type, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new Unbuildable("class " + type + " is not here: add it to the class path");
        }
    }

    private Object deserialized(String type, byte[] bytes) throws Unbuildable {
        load(type);
        try (var stream = new Filtered(bytes)) {
            Object object = stream.readObject();
            if (object == null) {
                throw new Unbuildable("it was written as nothing");
            }
            return object;
        } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError e) {
            throw new Unbuildable("reading it failed with " + e);
        }
    }

    /** Reads only what the filter allows, and no proxies. */
    private final class Filtered extends ObjectInputStream {
        Filtered(byte[] bytes) throws IOException {
            super(new ByteArrayInputStream(bytes));
            setObjectInputFilter(filter::check);
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass described) throws IOException, ClassNotFoundException {
            String name = described.getName();
            if (name.contains(".") && !filter.allows(name)) {
                throw new InvalidClassException(
                        name, "is not allowed: allow(\"" + name + "\") if you trust the recording");
            }
            return name.contains(".") ? Class.forName(name, false, loader) : super.resolveClass(described);
        }

        @Override
        protected Class<?> resolveProxyClass(String[] interfaces) throws InvalidClassException {
            throw new InvalidClassException("proxies are not read from a recording");
        }
    }
}
