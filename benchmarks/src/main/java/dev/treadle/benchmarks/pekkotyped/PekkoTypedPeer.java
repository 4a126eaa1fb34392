// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.pekkotyped;

import dev.treadle.benchmarks.Fairness;
import dev.treadle.benchmarks.Peer;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Sleeps;
import dev.treadle.benchmarks.Wakes;
import java.util.concurrent.Executor;

/** Pekko, typed actors. */
public final class PekkoTypedPeer implements Peer {
    private final Guardian guardian;

    /** Starts an actor system. */
    public PekkoTypedPeer(int workers) {
        guardian = new Guardian(workers);
    }

    @Override
    public void pingpong(int messages) throws Exception {
        Balls.play(guardian, 1, messages);
    }

    @Override
    public void pingpongPairs(int messages) throws Exception {
        Balls.play(guardian, Shape.PAIRS, messages);
    }

    @Override
    public void ring(int hops) throws Exception {
        Balls.ring(guardian, hops);
    }

    @Override
    public void counting(int messages) throws Exception {
        Floods.counting(guardian, messages);
    }

    @Override
    public void fanin(int messages) throws Exception {
        Floods.fanin(guardian, messages);
    }

    @Override
    public void fjthrow(int messages) throws Exception {
        Floods.fjthrow(guardian, messages);
    }

    @Override
    public void fjcreate(int processes) throws Exception {
        Families.fjcreate(guardian, processes);
    }

    @Override
    public void skynet(int processes) throws Exception {
        Families.skynet(guardian, processes);
    }

    @Override
    public void big(int messages) throws Exception {
        Meetings.big(guardian, messages);
    }

    @Override
    public void chameneos(int meetings) throws Exception {
        Meetings.chameneos(guardian, meetings);
    }

    @Override
    public void commandSync(int commands) throws Exception {
        Turns.commandSync(guardian, commands);
    }

    @Override
    public void commandAsync(int commands, Executor answerer) throws Exception {
        Turns.commandAsync(guardian, commands, answerer);
    }

    @Override
    public void yieldMany(int turns) throws Exception {
        Turns.yieldMany(guardian, turns);
    }

    @Override
    public void timers(int count, Sleeps sleeps) {
        Turns.timers(guardian, count, sleeps);
    }

    @Override
    public Crowd crowd(int processes) throws Exception {
        return Waiting.crowd(guardian, processes);
    }

    @Override
    public Runnable sleeper(Wakes wakes) {
        return Waiting.sleeper(guardian, wakes);
    }

    @Override
    public Runnable fairness(Fairness fairness) {
        return Waiting.fairness(guardian, fairness);
    }

    @Override
    public void close() {
        guardian.close();
    }
}
