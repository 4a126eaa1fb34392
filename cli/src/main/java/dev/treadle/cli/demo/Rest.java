// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import dev.treadle.Command;

/**
 * Asks to be woken later.
 *
 * @param millis after how long
 */
record Rest(int millis) implements Command {}
