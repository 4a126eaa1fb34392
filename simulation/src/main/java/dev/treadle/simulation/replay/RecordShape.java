// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the records of a class are taken apart and put together. */
final class RecordShape {
    private static final ClassValue<RecordShape> SHAPES = new ClassValue<>() {
        @Override
        protected RecordShape computeValue(Class<?> type) {
            return new RecordShape(type);
        }
    };

    private final List<String> names = new ArrayList<>();
    private final List<Method> accessors = new ArrayList<>();
    private @Nullable Constructor<?> constructor;
    private @Nullable String problem;

    private RecordShape(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        try {
            for (RecordComponent component : components) {
                names.add(component.getName());
                accessors.add(component.getAccessor());
                component.getAccessor().setAccessible(true);
            }
            constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
        } catch (NoSuchMethodException | InaccessibleObjectException | SecurityException e) {
            problem = "its package is not open to module dev.treadle.simulation";
        }
    }

    static RecordShape of(Class<?> type) {
        return SHAPES.get(type);
    }

    /** Why records of this class cannot be taken apart; null if they can. */
    @Nullable
    String problem() {
        return problem;
    }

    List<String> names() {
        return names;
    }

    @Nullable
    Object component(Object structure, int index) throws ReflectiveOperationException {
        return accessors.get(index).invoke(structure);
    }

    Object make(@Nullable Object[] components) throws ReflectiveOperationException {
        Constructor<?> constructor = this.constructor;
        if (constructor == null || problem != null) {
            throw new NoSuchMethodException(problem);
        }
        return constructor.newInstance(components);
    }
}
