// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.kotlin

import dev.treadle.benchmarks.Service
import dev.treadle.benchmarks.Shape
import dev.treadle.benchmarks.Sleeps
import dev.treadle.benchmarks.Tally
import java.util.concurrent.Executor
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.yield

// Turns without messages: command-sync, command-async, yield-many, timers.

internal fun awaitReady(scope: CoroutineScope, commands: Int) = await(scope, commands) { it.complete(Service.call(1)) }

internal fun awaitLater(scope: CoroutineScope, commands: Int, answerer: Executor) =
    await(scope, commands) { answer -> answerer.execute { answer.complete(1) } }

private inline fun await(scope: CoroutineScope, commands: Int, crossinline service: (CompletableDeferred<Int>) -> Unit) {
    val each = Shape.share(commands, Shape.COMMANDERS)
    val tally = Tally(Shape.COMMANDERS)
    repeat(Shape.COMMANDERS) {
        scope.launch {
            var answers = 0L
            repeat(each) {
                val answer = CompletableDeferred<Int>()
                service(answer)
                answers += answer.await()
            }
            tally.done(answers)
        }
    }
    tally.check("answers", commands.toLong())
}

internal fun yieldTurns(scope: CoroutineScope, turns: Int) {
    val each = Shape.share(turns, Shape.YIELDERS)
    val tally = Tally(Shape.YIELDERS)
    repeat(Shape.YIELDERS) {
        scope.launch {
            var turn = 1L
            while (turn < each) {
                yield()
                turn++
            }
            tally.done(turn)
        }
    }
    tally.check("turns", turns.toLong())
}

internal fun sleep(scope: CoroutineScope, count: Int, sleeps: Sleeps) {
    for (id in 0 until count) {
        scope.launch {
            delay(sleeps.start(id).toLong())
            sleeps.end(id)
        }
    }
}
