// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

/** Shows a trace as a page. */
final class TracePage {
    private TracePage() {}

    static String of(Trace trace) {
        return trace.text();
    }
}
