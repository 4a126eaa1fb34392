// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Process;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/** Kinds of processes by name, such as "orders:book". One that is defined again takes effect at the next spawn or upgrade. */
public final class Definitions {
    private final ConcurrentMap<String, Supplier<? extends Process>> byName = new ConcurrentHashMap<>();

    Definitions() {}

    /** Defines a kind of process, or defines it anew. */
    public Definitions define(String name, Supplier<? extends Process> process) {
        Objects.requireNonNull(name, "name is null: give a name such as \"orders:book\"");
        Objects.requireNonNull(process, () -> "process of \"" + name + "\" is null: give what makes it");
        byName.put(name, process);
        return this;
    }

    /** Defines a kind of process by its class, which must have a constructor without parameters. */
    public Definitions define(String name, Class<? extends Process> type) {
        return define(name, instancesOf(type));
    }

    /** Checks that a name is defined. */
    void check(String name) {
        if (!byName.containsKey(Objects.requireNonNull(name, "name is null: give the name of a definition"))) {
            throw unknown(name);
        }
    }

    private IllegalArgumentException unknown(String name) {
        return new IllegalArgumentException("definition \"" + name + "\" is not known, known are "
                + new TreeSet<>(byName.keySet()) + ": define() it on the node");
    }

    /**
     * Makes a process.
     *
     * @throws IllegalArgumentException if the name is not defined; the message lists those that are
     */
    Process make(String name) {
        Supplier<? extends Process> supplier = byName.get(name);
        if (supplier == null) {
            throw unknown(name);
        }
        return Objects.requireNonNull(supplier.get(), () -> "the definition of \"" + name + "\" made null");
    }

    static Supplier<Process> instancesOf(Class<? extends Process> type) {
        Objects.requireNonNull(type, "type is null: give the class of the process");
        Constructor<? extends Process> constructor;
        try {
            constructor = type.getDeclaredConstructor();
            if (!constructor.canAccess(null)) {
                constructor.setAccessible(true);
            }
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(
                    type.getTypeName() + " has no constructor without parameters: add one, or give a supplier", e);
        }
        return () -> {
            try {
                return constructor.newInstance();
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof RuntimeException unchecked) {
                    throw unchecked;
                }
                throw new IllegalStateException("the constructor of " + type.getTypeName() + " failed", e.getCause());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("cannot make a " + type.getTypeName(), e);
            }
        };
    }
}
