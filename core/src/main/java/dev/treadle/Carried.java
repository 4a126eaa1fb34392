// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What goes along with whatever the code of a process sends, spawns and yields: its own attributes, with those of the
 * event over them that its step is at. One per worker, whose thread alone uses it.
 */
final class Carried {
    private final Worker worker;
    private final Scheduler scheduler;
    private final Routing routing;
    private final Events events;
    private final boolean binds;

    /** Set while a handler runs: what its command carries. */
    private @Nullable Map<String, Object> ofCommand;

    /** The event that was looked at last, and what it comes to. */
    private @Nullable Event latest;

    private Map<String, Object> ofLatest = Map.of();

    /** Whether any of these was set in this turn. */
    private boolean isSet;

    private AttributeBinding.@Nullable Scope scope;
    private Map<String, Object> bound = Map.of();

    Carried(Worker worker, Events events) {
        this.worker = worker;
        this.scheduler = worker.scheduler;
        this.routing = scheduler.routing;
        this.events = events;
        this.binds = !scheduler.bindings.isEmpty();
        if (binds) {
            events.onNext(this::rebind);
        }
    }

    /** Before any code of a process runs. */
    void begin(ProcessCell cell) {
        if (binds) {
            bind(cell.attributes());
        }
    }

    /** Before the handler of a command runs. */
    void beginCommand(Map<String, Object> attributes) {
        if (isAny()) {
            isSet = true;
            ofCommand = attributes;
        }
        if (binds) {
            rebind();
        }
    }

    /** After the last handler of a step. */
    void endCommands() {
        if (ofCommand != null) {
            ofCommand = null;
        }
        if (binds) {
            rebind();
        }
    }

    /** When all code of the process has returned. */
    void end() {
        if (isSet) {
            isSet = false;
            ofCommand = null;
            latest = null;
            ofLatest = Map.of();
            worker.forgetInterrupt(); // that of the step is not meant for what undoes a binding
            unbind();
        }
    }

    /** Whether there is anything to do around the handlers of a step. */
    boolean isInUse() {
        return binds || isAny();
    }

    /** Whether anything in this scheduler carries anything. */
    boolean isAny() {
        return routing.usesAttributes();
    }

    /** What goes along with something that happens now. */
    Map<String, Object> now() {
        ProcessCell cell = worker.running();
        if (cell == null || !isAny()) {
            return Map.of();
        }
        if (ofCommand != null) {
            return ofCommand;
        }
        Event event = events.current();
        if (event == null) {
            return cell.attributes();
        }
        if (event != latest) {
            isSet = true;
            latest = event;
            ofLatest = Attributes.merge(cell.attributes(), event.attributes());
        }
        return ofLatest;
    }

    private void rebind() {
        Map<String, Object> now = now();
        if (now != bound) {
            unbind();
            bind(now);
        }
    }

    private void bind(Map<String, Object> attributes) {
        isSet = true;
        bound = attributes;
        scope = scheduler.bindings.bind(attributes);
    }

    private void unbind() {
        AttributeBinding.Scope scope = this.scope;
        if (scope != null) {
            this.scope = null;
            scope.close();
        }
    }
}
