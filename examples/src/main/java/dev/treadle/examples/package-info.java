// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * Small programs, one file each, meant to be copied. Each has a {@code main} to try it, and a test that runs it.
 *
 * <p>In order of difficulty:
 *
 * <ol>
 *   <li>{@link dev.treadle.examples.Counter}: a process, a message, a question
 *   <li>{@link dev.treadle.examples.PingPong}: two processes and two entry points
 *   <li>{@link dev.treadle.examples.RateLimiter}: a timer, and replies that come later
 *   <li>{@link dev.treadle.examples.BatchJob}: commands that block, so many at once, with progress
 *   <li>{@link dev.treadle.examples.Pipeline}: stages that take only what they have room for
 *   <li>{@link dev.treadle.examples.Crawler}: HTTP, with a pause between two requests to one site
 *   <li>{@link dev.treadle.examples.Saga}: steps that are undone if a later one fails
 *   <li>{@link dev.treadle.examples.Bank}: accounts that fail and come back with their balance
 *   <li>{@link dev.treadle.examples.DeviceFleet}: a tree of supervisors, names and groups
 *   <li>{@link dev.treadle.examples.ChatRoom}: a web page with server-sent events
 * </ol>
 */
@NullMarked
package dev.treadle.examples;

import org.jspecify.annotations.NullMarked;
