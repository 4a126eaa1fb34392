// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import dev.treadle.Pid;

/**
 * What a device has measured, on its way over its neighbours to a hub and back.
 *
 * @param origin the device
 * @param round which of its readings this is
 * @param hops how many more neighbours it passes before it goes to the hub
 */
record Reading(Pid origin, int round, int hops) {
    Reading passedOn() {
        return new Reading(origin, round, hops - 1);
    }
}
