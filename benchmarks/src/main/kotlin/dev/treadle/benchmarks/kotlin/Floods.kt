// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.kotlin

import dev.treadle.benchmarks.Arrivals
import dev.treadle.benchmarks.Check
import dev.treadle.benchmarks.Shape
import dev.treadle.benchmarks.Tally
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.Channel.Factory.UNLIMITED
import kotlinx.coroutines.launch

// Some only send, some only get: counting, fanin, fjthrow.

private const val INCREMENT = "increment"

private class Ask(val reply: CompletableDeferred<Long>)

internal fun count(scope: CoroutineScope, messages: Int) {
    val tally = Tally(1)
    val counter = Channel<Any>(UNLIMITED)
    scope.launch {
        var total = 0L
        for (message in counter) {
            if (message is Ask) {
                message.reply.complete(total)
                break
            }
            total++
        }
    }
    scope.launch {
        repeat(messages) { counter.send(INCREMENT) }
        val ask = Ask(CompletableDeferred())
        counter.send(ask)
        tally.done(ask.reply.await())
    }
    tally.check("total", messages.toLong())
}

internal fun consume(scope: CoroutineScope, messages: Int) {
    val each = Shape.share(messages, Shape.PRODUCERS)
    val tally = Tally(1)
    val consumer = Channel<Long>(UNLIMITED)
    scope.launch {
        val arrivals = Arrivals(messages)
        var count = 1L
        while (!arrivals.isLast(consumer.receive())) count++
        tally.done(count)
    }
    for (id in 0 until Shape.PRODUCERS) {
        scope.launch {
            for (number in 0 until each) consumer.send(Arrivals.message(id, number))
        }
    }
    tally.check("messages", messages.toLong())
}

internal fun throwWork(scope: CoroutineScope, messages: Int) {
    val each = Shape.share(messages, Shape.RECEIVERS)
    val tally = Tally(Shape.RECEIVERS)
    val receivers = Array(Shape.RECEIVERS) { Channel<Int>(UNLIMITED) }
    for (mine in receivers) {
        scope.launch {
            var sum = 0L
            repeat(each) { sum += Check.compute(mine.receive().toLong()) }
            tally.done(sum)
        }
    }
    scope.launch {
        for (round in 0 until each) {
            for (receiver in receivers) receiver.send(round)
        }
    }
    tally.check("computed", Shape.RECEIVERS * Check.computeAll(each))
}
