// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.fj;

import dev.treadle.benchmarks.Fairness;
import dev.treadle.benchmarks.Peer;
import dev.treadle.benchmarks.Service;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Sleeps;
import dev.treadle.benchmarks.Wakes;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** Actors on a ForkJoinPool in async mode: first in, first out, as is right for messages. */
public final class FjPeer implements Peer {
    private final ForkJoinPool pool;
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);

    /** Starts a pool. */
    public FjPeer(int workers) {
        pool = new ForkJoinPool(workers, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, true);
    }

    @Override
    public void pingpong(int messages) throws Exception {
        Balls.play(pool, 1, messages);
    }

    @Override
    public void pingpongPairs(int messages) throws Exception {
        Balls.play(pool, Shape.PAIRS, messages);
    }

    @Override
    public void ring(int hops) throws Exception {
        Balls.ring(pool, hops);
    }

    @Override
    public void counting(int messages) throws Exception {
        Floods.counting(pool, messages);
    }

    @Override
    public void fanin(int messages) throws Exception {
        Floods.fanin(pool, messages);
    }

    @Override
    public void fjthrow(int messages) throws Exception {
        Floods.fjthrow(pool, messages);
    }

    @Override
    public void fjcreate(int processes) throws Exception {
        Families.fjcreate(pool, processes);
    }

    @Override
    public void skynet(int processes) throws Exception {
        Families.skynet(pool, processes);
    }

    @Override
    public void big(int messages) throws Exception {
        Meetings.big(pool, messages);
    }

    @Override
    public void chameneos(int meetings) throws Exception {
        Meetings.chameneos(pool, meetings);
    }

    @Override
    public void commandSync(int commands) throws Exception {
        Turns.commands(pool, Service::execute, commands);
    }

    @Override
    public void commandAsync(int commands, Executor answerer) throws Exception {
        Turns.commands(pool, answerer, commands);
    }

    @Override
    public void yieldMany(int turns) throws Exception {
        Turns.yieldMany(pool, turns);
    }

    @Override
    public void timers(int count, Sleeps sleeps) {
        Turns.timers(pool, timer, count, sleeps);
    }

    @Override
    public Crowd crowd(int processes) throws Exception {
        return Waiting.crowd(pool, processes);
    }

    @Override
    public Runnable sleeper(Wakes wakes) {
        return Waiting.sleeper(pool, wakes);
    }

    @Override
    public Runnable fairness(Fairness fairness) {
        return Waiting.fairness(pool, fairness);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        pool.shutdownNow();
    }
}
