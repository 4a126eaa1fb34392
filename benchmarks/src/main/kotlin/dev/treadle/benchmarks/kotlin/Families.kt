// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.kotlin

import dev.treadle.benchmarks.Creations
import dev.treadle.benchmarks.Shape
import dev.treadle.benchmarks.Tally
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.Channel.Factory.UNLIMITED
import kotlinx.coroutines.launch
import kotlinx.coroutines.yield

// Processes that start processes: fjcreate, skynet.

internal fun create(scope: CoroutineScope, processes: Int) {
    val creations = Creations(processes)
    scope.launch {
        while (creations.hasNext()) {
            if (creations.isFull) {
                yield()
            } else {
                val work = creations.next()
                val mailbox = Channel<Int>(UNLIMITED)
                // In the scope and not in this coroutine: nobody waits for it.
                scope.launch { creations.ended(mailbox.receive()) }
                mailbox.send(work)
            }
        }
    }
    creations.check()
}

internal fun growTree(scope: CoroutineScope, processes: Int) {
    val leaves = Shape.skynetLeaves(processes)
    val tally = Tally(1)
    val result = Channel<Long>(UNLIMITED)
    scope.launch { node(scope, result, 0, leaves) }
    scope.launch { tally.done(result.receive()) }
    tally.check("sum of ordinals", leaves.toLong() * (leaves - 1) / 2)
}

private suspend fun node(scope: CoroutineScope, parent: Channel<Long>, first: Long, leaves: Int) {
    if (leaves == 1) {
        parent.send(first)
        return
    }
    val mine = Channel<Long>(UNLIMITED)
    val share = leaves / Shape.FAN_OUT
    repeat(Shape.FAN_OUT) { scope.launch { node(scope, mine, first + it.toLong() * share, share) } }
    var sum = 0L
    repeat(Shape.FAN_OUT) { sum += mine.receive() }
    parent.send(sum)
}
