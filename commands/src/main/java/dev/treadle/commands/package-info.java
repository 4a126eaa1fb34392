// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * Ready commands, and the handlers that do their work: HTTP, SQL, programs, files.
 *
 * <p>Each family has its commands, which are records; what they complete with; one exception that says what went wrong and
 * what to do; and a class that registers the handlers.
 *
 * <pre>
 *  command                            completes with     fails with               registered by
 *  HttpExchange                       HttpReply          HttpFailedException      HttpHandlers.over(client)
 *  SqlQuery, SqlPage                  SqlRows            SqlFailedException       SqlHandlers.over(dataSource)
 *  SqlUpdate, SqlBatch                SqlUpdated
 *  SqlTransaction                     List of the above
 *  SqlCursor                          null
 *  RunProgram                         ProgramResult      ProgramFailedException   ProgramHandlers.withDefaults()
 *  ReadFile                           Bytes              FileFailedException      FileHandlers.within(folder)
 *  WriteFile, AppendFile              Long
 * </pre>
 *
 * <p><b>Overload, timeout, cancel.</b> The same for all: so many calls run at once, so many wait, and one more fails at once
 * with a {@link dev.treadle.CommandOverloadException}. The timeout of the yield counts from the yield and includes the
 * wait. When it is over, or the process ends or is cancelled, a call that waits is not started, and one that runs is
 * stopped, each family in its own way; the Javadoc of the commands says how. A process that was cancelled, and still waits
 * for its commands, gets a {@link java.util.concurrent.CancellationException} as the error.
 *
 * <p><b>Threads.</b> {@code HttpExchange} runs on the threads of its client. The other calls run on the scheduler's threads
 * for blocking calls, as all of {@link dev.treadle.CommandRegistry#registerBlocking(Class, dev.treadle.CallLimit,
 * dev.treadle.CommandRegistry.StoppableFunction) registerBlocking}: with the attributes of their process in force, and waited
 * for by a shutdown. So there is nothing to close.
 *
 * <p><b>What to read next.</b> {@link dev.treadle.CallLimit}: who may run, who waits. {@link dev.treadle.BlockingCall}: how a
 * call that blocks is stopped. Then the handlers of one family.
 */
@NullMarked
package dev.treadle.commands;

import org.jspecify.annotations.NullMarked;
