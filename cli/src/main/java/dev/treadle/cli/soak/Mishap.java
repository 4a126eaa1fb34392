// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.soak;

/** What user code of a soak throws on purpose. Without a stack: there are very many. */
final class Mishap extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Mishap(String what) {
        super(what, null, false, false);
    }
}
