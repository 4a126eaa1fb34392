// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * Records processes in production, and runs them again in a debugger.
 *
 * <pre>
 *  in production                                                            later, on the calling thread
 *
 *  worker: RecordingProcess --+                                             Recording --> RecordedLife --> Script
 *            step, context    | LifeLog                                        ^ Frames                      |
 *                             v                                                |                             v
 *                         Handover --> RecordWriter --> RecordFiles ---> treadle-*.rec               Replay, ReplayRun
 *                         bounded,     a thread:        rotating                                     process.step(...)
 *                         drops        ValueWriter                                                   ReplayReport
 * </pre>
 *
 * <p>Start at {@link dev.treadle.simulation.replay.Recorder} and {@link dev.treadle.simulation.replay.Replay}. A file consists of
 * frames ({@code Frames}), a frame of a {@code Body}, that of an {@code Entry}, and what is in there of the user's of {@code Value}s.
 */
@NullMarked
package dev.treadle.simulation.replay;

import org.jspecify.annotations.NullMarked;
