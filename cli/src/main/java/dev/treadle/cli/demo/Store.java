// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import dev.treadle.Command;

/**
 * Asks to keep the number of readings that a device has made; the answer is that number.
 *
 * @param readings how many
 */
record Store(int readings) implements Command {}
