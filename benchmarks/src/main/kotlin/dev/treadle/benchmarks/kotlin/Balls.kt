// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.kotlin

import dev.treadle.benchmarks.Shape
import dev.treadle.benchmarks.Tally
import dev.treadle.benchmarks.Token
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.Channel.Factory.UNLIMITED
import kotlinx.coroutines.launch

// Something is passed from one to the next: pingpong, pingpong-pairs, ring.

private const val BALL = "ball"

internal fun play(scope: CoroutineScope, pairs: Int, messages: Int) {
    val each = Shape.share(messages, 2 * pairs)
    val tally = Tally(2 * pairs)
    repeat(pairs) {
        val first = Channel<String>(UNLIMITED)
        val second = Channel<String>(UNLIMITED)
        scope.launch {
            repeat(each) {
                second.send(BALL)
                first.receive()
            }
            tally.done(each.toLong())
        }
        scope.launch {
            repeat(each) { first.send(second.receive()) }
            tally.done(each.toLong())
        }
    }
    tally.check("balls", messages.toLong())
}

internal fun passToken(scope: CoroutineScope, hops: Int) {
    val tally = Tally(1)
    val nodes = Array(Shape.RING) { Channel<Token>(UNLIMITED) }
    for (i in nodes.indices) {
        val mine = nodes[i]
        val next = nodes[(i + 1) % nodes.size]
        scope.launch {
            for (token in mine) {
                if (token.hop()) next.send(token) else tally.done(1)
            }
        }
    }
    nodes[0].trySend(Token(hops))
    tally.check("token", 1)
    nodes.forEach { it.close() }
}
