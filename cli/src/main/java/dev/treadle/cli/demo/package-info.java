// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * {@code treadle demo}: a fleet of very many devices, each a process, on one machine and without configuration.
 *
 * <pre>
 *   host "system"                               host "devices"
 *
 *   services                                    fleet (its supervisor is on "system")
 *    |- recorder --SqlBatch--> H2      summary   |- site-0, a supervisor
 *    |     ^-------------------------------------|---|- station-0   &lt;--- reading ---+
 *    |- operator --HttpExchange-+                |   |- device-0    ----------------+
 *                               |                |   |- device-1 ...
 *   DemoApi (HTTP) &lt;------------+    ask         |- site-1 ...
 *      +------------------------------------------> device-N
 * </pre>
 *
 * <p>{@link dev.treadle.cli.demo.DemoCommand} has the options, Ctrl-C and what is printed; {@link dev.treadle.cli.demo.Demo}
 * starts and ends all of this. Devices measure about every second and a half, and break now and then; their site starts them
 * again under the same name.
 */
@NullMarked
package dev.treadle.cli.demo;

import org.jspecify.annotations.NullMarked;
