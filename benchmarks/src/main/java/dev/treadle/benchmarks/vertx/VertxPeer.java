// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.vertx;

import dev.treadle.benchmarks.Fairness;
import dev.treadle.benchmarks.Peer;
import dev.treadle.benchmarks.Service;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Sleeps;
import dev.treadle.benchmarks.Wakes;
import java.util.concurrent.Executor;

/** Vert.x. */
public final class VertxPeer implements Peer {
    private final EventLoops loops;

    /** Starts the event loops. */
    public VertxPeer(int workers) throws Exception {
        loops = new EventLoops(workers);
    }

    @Override
    public void pingpong(int messages) throws Exception {
        Balls.play(loops, 1, messages);
    }

    @Override
    public void pingpongPairs(int messages) throws Exception {
        Balls.play(loops, Shape.PAIRS, messages);
    }

    @Override
    public void ring(int hops) throws Exception {
        Balls.ring(loops, hops);
    }

    @Override
    public void counting(int messages) throws Exception {
        Floods.counting(loops, messages);
    }

    @Override
    public void fanin(int messages) throws Exception {
        Floods.fanin(loops, messages);
    }

    @Override
    public void fjthrow(int messages) throws Exception {
        Floods.fjthrow(loops, messages);
    }

    @Override
    public void big(int messages) throws Exception {
        Meetings.big(loops, messages);
    }

    @Override
    public void chameneos(int meetings) throws Exception {
        Meetings.chameneos(loops, meetings);
    }

    @Override
    public void commandSync(int commands) throws Exception {
        Turns.commands(loops, Service::execute, commands);
    }

    @Override
    public void commandAsync(int commands, Executor answerer) throws Exception {
        Turns.commands(loops, answerer, commands);
    }

    @Override
    public void yieldMany(int turns) throws Exception {
        Turns.yieldMany(loops, turns);
    }

    @Override
    public void timers(int count, Sleeps sleeps) {
        Turns.timers(loops, count, sleeps);
    }

    @Override
    public Runnable sleeper(Wakes wakes) {
        return Waiting.sleeper(loops, wakes);
    }

    @Override
    public Runnable fairness(Fairness fairness) {
        return Waiting.fairness(loops, fairness);
    }

    @Override
    public void close() {
        loops.close();
    }
}
