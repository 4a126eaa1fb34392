// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * One scheduler for millions of small message-driven processes.
 *
 * <p>Who writes a process meets {@link dev.treadle.Process}, which gets {@link dev.treadle.Events} and writes to a {@link
 * dev.treadle.StepOutput}, and uses its {@link dev.treadle.ProcessContext}. Who runs processes meets {@link
 * dev.treadle.Scheduler}, made by a {@link dev.treadle.SchedulerBuilder}, and {@link dev.treadle.ProcessRef}. Who does
 * work for them writes a {@link dev.treadle.Handler} for a {@link dev.treadle.Command}, and registers it in a {@link
 * dev.treadle.CommandRegistry}.
 *
 * <pre>
 *  submit, spawn           wake                   take one               Stepper
 *  Scheduler ------> WorkerGroup, Worker -------> Worker ------> step ----------> dispatch
 *     |              GlobalQueue, deque                            |                 | HandlerTable
 *     |                     ^                                      |                 v
 *     +--> ProcessTable     |                                      |              Handler
 *                           |                                      |                 |
 *  send ----------> EventQueue of the ProcessCell &lt;----------------+-- completeYield-+
 *  Scheduler        pushMessage: WAKE if it slept         sleep    |    YieldInFlight
 *                                                                  v
 *                                                        done: ProcessEnding
 * </pre>
 *
 * <p><b>Threads.</b> Submitters run {@code init}. Workers run {@code step}, quick handlers and {@code close}. One timer
 * thread, started when first needed, fires timeouts. One watchdog looks for steps that take too long. Blocking handlers
 * have threads of their own.
 *
 * <p><b>What to read next.</b> {@code ProcessState}, {@code EventStack} and {@code EventQueue}: how a process sleeps and is woken. {@code
 * Sleepers}: how a worker does. {@code WorkerQueues}: where a worker finds work. {@code Stepper}: one turn of a process. {@code
 * Shutdown}: the end.
 */
@NullMarked
package dev.treadle;

import org.jspecify.annotations.NullMarked;
