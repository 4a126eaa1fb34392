// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.kotlin

import dev.treadle.benchmarks.Colours
import dev.treadle.benchmarks.Shape
import dev.treadle.benchmarks.Tally
import java.util.SplittableRandom
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.Channel.Factory.UNLIMITED
import kotlinx.coroutines.launch

// Many talk to many: big, chameneos.

private const val PONG = "pong"

private class Meeting(val creature: Channel<Int>, val colour: Int)

/** A ping is the channel of the one who sent it. */
internal fun pingEachOther(scope: CoroutineScope, messages: Int) {
    val pings = Shape.share(messages, 2 * Shape.BIG)
    val tally = Tally(Shape.BIG)
    val all = Array(Shape.BIG) { Channel<Any>(UNLIMITED) }
    for (self in all.indices) {
        scope.launch {
            val mine = all[self]
            val random = SplittableRandom(self.toLong())
            var pongs = 0
            suspend fun ping() {
                val other = random.nextInt(all.size - 1)
                all[if (other < self) other else other + 1].send(mine)
            }
            ping()
            for (message in mine) {
                if (message is Channel<*>) {
                    @Suppress("UNCHECKED_CAST") // all channels here are alike
                    (message as Channel<Any>).send(PONG)
                } else if (++pongs < pings) {
                    ping()
                } else {
                    tally.done(pongs.toLong())
                }
            }
        }
    }
    tally.check("pongs", pings.toLong() * Shape.BIG)
    all.forEach { it.close() }
}

internal fun meet(scope: CoroutineScope, meetings: Int) {
    val tally = Tally(Shape.CREATURES)
    val mall = Channel<Meeting>(UNLIMITED)
    scope.launch {
        repeat(meetings) {
            val first = mall.receive()
            val second = mall.receive()
            first.creature.send(second.colour)
            second.creature.send(first.colour)
        }
        repeat(Shape.CREATURES) { mall.receive().creature.send(Colours.NO_MORE) }
    }
    for (creature in 0 until Shape.CREATURES) {
        scope.launch {
            val mine = Channel<Int>(UNLIMITED)
            var colour = Colours.first(creature)
            var met = 0L
            while (true) {
                mall.send(Meeting(mine, colour))
                val other = mine.receive()
                if (other == Colours.NO_MORE) break
                met++
                colour = Colours.afterMeeting(colour, other)
            }
            tally.done(met)
        }
    }
    tally.check("meetings of creatures", 2L * meetings)
}
