// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * {@code treadle run}: a program from a file, or one process from a jar.
 *
 * <pre>
 *   RunCommand            options, Ctrl-C, SIGHUP, what is printed
 *      |
 *   RunFileReader ------> RunFile            what the file says, checked
 *      | Section, Variables, Problems           |
 *      |                                     Application
 *   Program (class loader) ------------------&gt; node, services; reload
 * </pre>
 *
 * <p>The file is read into a tree of nodes that know their line, not into objects: so each problem names its line and key, and
 * all problems of a file are told at once. See docs/design/0015-run-files.md.
 */
@NullMarked
package dev.treadle.cli.run;

import org.jspecify.annotations.NullMarked;
