// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.kotlin

import dev.treadle.benchmarks.Fairness
import dev.treadle.benchmarks.Peer
import dev.treadle.benchmarks.Shape
import dev.treadle.benchmarks.Sleeps
import dev.treadle.benchmarks.Wakes
import java.util.concurrent.Executor
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel

/**
 * Kotlin coroutines, each with a channel without a bound. They run on the default dispatcher, whose scheduler steals work;
 * how many threads it has is a system property, which must be set before it is first used.
 */
class KotlinPeer(workers: Int) : Peer {
    private val scope: CoroutineScope

    init {
        System.setProperty("kotlinx.coroutines.scheduler.core.pool.size", workers.toString())
        scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)
    }

    override fun pingpong(messages: Int) = play(scope, 1, messages)

    override fun pingpongPairs(messages: Int) = play(scope, Shape.PAIRS, messages)

    override fun ring(hops: Int) = passToken(scope, hops)

    override fun counting(messages: Int) = count(scope, messages)

    override fun fanin(messages: Int) = consume(scope, messages)

    override fun fjthrow(messages: Int) = throwWork(scope, messages)

    override fun fjcreate(processes: Int) = create(scope, processes)

    override fun skynet(processes: Int) = growTree(scope, processes)

    override fun big(messages: Int) = pingEachOther(scope, messages)

    override fun chameneos(meetings: Int) = meet(scope, meetings)

    override fun commandSync(commands: Int) = awaitReady(scope, commands)

    override fun commandAsync(commands: Int, answerer: Executor) = awaitLater(scope, commands, answerer)

    override fun yieldMany(turns: Int) = yieldTurns(scope, turns)

    override fun timers(count: Int, sleeps: Sleeps) = sleep(scope, count, sleeps)

    override fun crowd(processes: Int): Peer.Crowd = Crowd(scope, processes)

    override fun sleeper(wakes: Wakes): Runnable = sleeper(scope, wakes)

    override fun fairness(fairness: Fairness): Runnable = fairness(scope, fairness)

    override fun close() = scope.cancel()
}
