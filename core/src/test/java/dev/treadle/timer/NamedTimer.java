// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.timer;

import java.util.List;

/** A timer that writes its name in a log when it fires, then does one more thing if it was given one. */
final class NamedTimer extends TimerNode {
    private final String name;
    private final List<String> log;
    private Runnable whenFired = () -> {};

    NamedTimer(String name, List<String> log) {
        this.name = name;
        this.log = log;
    }

    NamedTimer whenFired(Runnable action) {
        whenFired = action;
        return this;
    }

    @Override
    protected void fire() {
        log.add(name);
        whenFired.run();
    }

    @Override
    public String toString() {
        return name;
    }
}
