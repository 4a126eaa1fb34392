// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.run;

/**
 * What Treadle gave on one workload with some number of workers.
 *
 * @param workers how many
 * @param series what it gave
 */
public record Lane(int workers, Series series) {}
