// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * The workloads on Vert.x. A process is an object on one of the event loops, as many of which there are as the others have
 * workers; a message is an action that its loop runs. That is the lightest that Vert.x has: a verticle with an address on
 * the event bus costs many times as much. A process stays on its loop, so two that only talk to each other share one.
 */
@NullMarked
package dev.treadle.benchmarks.vertx;

import org.jspecify.annotations.NullMarked;
