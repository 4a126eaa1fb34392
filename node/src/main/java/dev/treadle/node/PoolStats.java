// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

/**
 * What a {@link Pool} is at, and what it has done.
 *
 * @param workers how many workers it has
 * @param waiting how many messages wait for them
 * @param refused how many sends and requests it had no room for
 * @param replaced how many workers have ended and were replaced
 */
public record PoolStats(int workers, long waiting, long refused, long replaced) {}
