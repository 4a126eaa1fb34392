// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * Shows what a node, or one scheduler, is doing.
 *
 * <pre>
 *  Scheduler.quickStats, workers --every second--> Sampler --> Overview --json--> Dashboard --> the page
 *  Scheduler.scan, when asked, paced --> StateCounts, ProcessPages --> ProcessPage --json------->  treadle top
 *  Node.tree, names, groups, relations -------------------------------> NodePages ----json----->
 *  SchedulerListener --> Incidents ----------------------------------------------------------->
 *                    --> FlightRecorderListener, FlightRecorderStatistics --> JFR
 *  quickStats, paced --> HostFigure --> PrometheusText at /metrics, TreadleMeters for Micrometer
 *  AttributeBinding  --> OpenTelemetryBinding
 * </pre>
 *
 * <p>{@link dev.treadle.observe.Dashboard} is where to start. {@code Gate} says who may look, {@code Paced} why looking does
 * not slow down those who work.
 */
@NullMarked
package dev.treadle.observe;

import org.jspecify.annotations.NullMarked;
