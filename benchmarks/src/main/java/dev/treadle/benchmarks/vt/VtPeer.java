// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.vt;

import dev.treadle.benchmarks.Fairness;
import dev.treadle.benchmarks.Peer;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Sleeps;
import dev.treadle.benchmarks.Wakes;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/** Virtual threads. How many carriers they have is a flag of the JVM, which {@code ForkProcess} sets. */
public final class VtPeer implements Peer {
    private final ThreadFactory threads = VirtualThreads.factory();

    /** Makes the factory; there is nothing to start. */
    public VtPeer() {}

    @Override
    public void pingpong(int messages) throws Exception {
        Balls.play(threads, 1, messages);
    }

    @Override
    public void pingpongPairs(int messages) throws Exception {
        Balls.play(threads, Shape.PAIRS, messages);
    }

    @Override
    public void ring(int hops) throws Exception {
        Balls.ring(threads, hops);
    }

    @Override
    public void counting(int messages) throws Exception {
        Floods.counting(threads, messages);
    }

    @Override
    public void fanin(int messages) throws Exception {
        Floods.fanin(threads, messages);
    }

    @Override
    public void fjthrow(int messages) throws Exception {
        Floods.fjthrow(threads, messages);
    }

    @Override
    public void fjcreate(int processes) throws Exception {
        Families.fjcreate(threads, processes);
    }

    @Override
    public void skynet(int processes) throws Exception {
        Families.skynet(threads, processes);
    }

    @Override
    public void big(int messages) throws Exception {
        Meetings.big(threads, messages);
    }

    @Override
    public void chameneos(int meetings) throws Exception {
        Meetings.chameneos(threads, meetings);
    }

    @Override
    public void commandSync(int commands) throws Exception {
        Turns.commandSync(threads, commands);
    }

    @Override
    public void commandAsync(int commands, Executor answerer) throws Exception {
        Turns.commandAsync(threads, commands, answerer);
    }

    @Override
    public void yieldMany(int turns) throws Exception {
        Turns.yieldMany(threads, turns);
    }

    @Override
    public void timers(int count, Sleeps sleeps) {
        Turns.timers(threads, count, sleeps);
    }

    @Override
    public Crowd crowd(int processes) throws Exception {
        return Waiting.crowd(threads, processes);
    }

    @Override
    public Runnable sleeper(Wakes wakes) {
        return Waiting.sleeper(threads, wakes);
    }

    @Override
    public Runnable fairness(Fairness fairness) {
        return Waiting.fairness(threads, fairness);
    }

    /** Threads that still wait are garbage. */
    @Override
    public void close() {}

    /** Starts a thread. */
    static void start(ThreadFactory threads, Runnable body) {
        threads.newThread(body).start();
    }
}
