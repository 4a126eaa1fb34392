// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Puts one process in the place of another: as a step says, or as an {@link UpgradeOrder} does. The worker's own. */
final class ProcessUpgrade {
    private final Scheduler scheduler;
    private final Worker worker;

    ProcessUpgrade(Scheduler scheduler, Worker worker) {
        this.scheduler = scheduler;
        this.worker = worker;
    }

    /** Returns the last order to upgrade among the signals, which come first. */
    static @Nullable UpgradeOrder orderIn(EventBatch events) {
        UpgradeOrder order = null;
        for (int i = 0; i < events.size() && events.peek(i) instanceof Signal signal; i++) {
            if (signal instanceof UpgradeOrder last) {
                order = last;
            }
        }
        return order;
    }

    /** Upgrades the process before its step. Returns what the code of the user threw: the process must end by it. */
    @Nullable
    Throwable follow(ProcessCell cell, UpgradeOrder order) {
        StepOutput.Upgrade upgrade;
        try {
            upgrade = order.follow(Objects.requireNonNull(cell.process(), "upgraded after its end"));
        } catch (Throwable thrown) {
            return thrown;
        }
        return takeOver(cell, upgrade);
    }

    /** Puts the next process in the place of this one. Returns what its init threw: the process must end by it. */
    @Nullable
    Throwable takeOver(ProcessCell cell, StepOutput.Upgrade upgrade) {
        worker.forgetInterrupt();
        if (!upgrade.keepsYields()) {
            cell.abandonYields();
            cell.mayWakeInVain = true;
        }
        cell.upgradeExtras(upgrade.keepsYields());
        Process old = cell.process();
        cell.replace(upgrade.next(), upgrade.method());
        if (old != null) {
            scheduler.ending.close(cell, old);
        }
        try {
            upgrade.next().init(cell, upgrade.method(), upgrade.input());
            return null;
        } catch (Throwable thrown) {
            return thrown;
        }
    }
}
