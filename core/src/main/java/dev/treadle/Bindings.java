// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The {@link AttributeBinding} of a scheduler, if it has one, with what it throws kept from everybody else. */
final class Bindings {
    private static final AttributeBinding.Scope NOTHING = () -> {};

    private final @Nullable AttributeBinding binding;
    private final Listeners listeners;

    Bindings(@Nullable AttributeBinding binding, Listeners listeners) {
        this.binding = binding;
        this.listeners = listeners;
    }

    boolean isEmpty() {
        return binding == null;
    }

    /** Any thread. The scope that this returns throws nothing. */
    AttributeBinding.Scope bind(Map<String, Object> attributes) {
        if (binding == null) {
            return NOTHING;
        }
        try {
            AttributeBinding.Scope scope = binding.bind(attributes);
            return scope == null ? NOTHING : () -> close(scope);
        } catch (Throwable thrown) {
            listeners.failed("the attribute binding", thrown);
            return NOTHING;
        }
    }

    /** Any thread: runs something with attributes in force, and reports what it throws. */
    void run(Map<String, Object> attributes, String what, Runnable task) {
        AttributeBinding.Scope scope = bind(attributes);
        try {
            task.run();
        } catch (Throwable thrown) {
            listeners.failed(what, thrown);
        } finally {
            scope.close();
        }
    }

    private void close(AttributeBinding.Scope scope) {
        try {
            scope.close();
        } catch (Throwable thrown) {
            listeners.failed("the attribute binding", thrown);
        }
    }
}
