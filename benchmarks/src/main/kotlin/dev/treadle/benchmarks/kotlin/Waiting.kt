// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.kotlin

import dev.treadle.benchmarks.Fairness
import dev.treadle.benchmarks.Peer
import dev.treadle.benchmarks.RollCall
import dev.treadle.benchmarks.Shape
import dev.treadle.benchmarks.Wakes
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.Channel.Factory.UNLIMITED
import kotlinx.coroutines.launch
import kotlinx.coroutines.yield

// Processes that wait: idle-memory, wake-latency, fairness.

private const val WORK = "work"

internal class Crowd(scope: CoroutineScope, count: Int) : Peer.Crowd {
    private val roll = RollCall(count)
    private val channels = Array(count) { Channel<String>(UNLIMITED) }

    init {
        for (mine in channels) {
            scope.launch {
                for (message in mine) roll.here()
            }
            mine.trySend(WORK)
        }
        roll.check()
    }

    override fun tellAll() {
        roll.again()
        for (channel in channels) channel.trySend(WORK)
        roll.check()
    }
}

internal fun sleeper(scope: CoroutineScope, wakes: Wakes): Runnable {
    val mine = Channel<String>(UNLIMITED)
    scope.launch {
        for (message in mine) wakes.turn()
    }
    return Runnable { mine.trySend(WORK) }
}

internal fun fairness(scope: CoroutineScope, fairness: Fairness): Runnable {
    val crowd = Array(fairness.crowd()) { Channel<String>(UNLIMITED) }
    for (mine in crowd) {
        scope.launch {
            mine.receive()
            fairness.ran()
        }
    }
    repeat(Shape.HOGS) {
        scope.launch {
            fairness.hogStarted()
            while (fairness.hogTurn()) yield()
        }
    }
    return Runnable { crowd.forEach { it.trySend(WORK) } }
}
