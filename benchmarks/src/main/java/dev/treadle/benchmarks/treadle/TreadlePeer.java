// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.treadle;

import dev.treadle.Command;
import dev.treadle.CommandRegistry;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.Scheduler;
import dev.treadle.benchmarks.Fairness;
import dev.treadle.benchmarks.Peer;
import dev.treadle.benchmarks.Service;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Sleeps;
import dev.treadle.benchmarks.Wakes;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;

/** Treadle. */
public final class TreadlePeer implements Peer {
    /** Answered on the spot. */
    record AskNow() implements Command {}

    /** Answered by another thread. */
    record AskLater() implements Command {}

    static final String ANSWER = "answer";

    private final Scheduler scheduler;
    private volatile Executor answerer = Runnable::run;

    /** Starts a scheduler. */
    public TreadlePeer(int workers) {
        var registry = new CommandRegistry()
                .registerFunction(AskNow.class, command -> Service.call(ANSWER))
                .register(AskLater.class, (command, receiver) -> answerer.execute(() -> receiver.complete(ANSWER)));
        scheduler = Scheduler.builder()
                .workers(workers)
                .mailboxCapacity(0)
                .handlers(registry)
                .shutdownTimeout(Duration.ZERO)
                .start();
    }

    @Override
    public void pingpong(int messages) throws Exception {
        Balls.play(scheduler, 1, messages);
    }

    @Override
    public void pingpongPairs(int messages) throws Exception {
        Balls.play(scheduler, Shape.PAIRS, messages);
    }

    @Override
    public void ring(int hops) throws Exception {
        Balls.ring(scheduler, hops);
    }

    @Override
    public void counting(int messages) throws Exception {
        Floods.counting(scheduler, messages);
    }

    @Override
    public void fanin(int messages) throws Exception {
        Floods.fanin(scheduler, messages);
    }

    @Override
    public void fjthrow(int messages) throws Exception {
        Floods.fjthrow(scheduler, messages);
    }

    @Override
    public void fjcreate(int processes) throws Exception {
        Families.fjcreate(scheduler, processes);
    }

    @Override
    public void skynet(int processes) throws Exception {
        Families.skynet(scheduler, processes);
    }

    @Override
    public void big(int messages) throws Exception {
        Meetings.big(scheduler, messages);
    }

    @Override
    public void chameneos(int meetings) throws Exception {
        Meetings.chameneos(scheduler, meetings);
    }

    @Override
    public void commandSync(int commands) throws Exception {
        Turns.commands(scheduler, new AskNow(), commands);
    }

    @Override
    public void commandAsync(int commands, Executor answerer) throws Exception {
        this.answerer = answerer;
        Turns.commands(scheduler, new AskLater(), commands);
    }

    @Override
    public void yieldMany(int turns) throws Exception {
        Turns.yieldMany(scheduler, turns);
    }

    @Override
    public void timers(int count, Sleeps sleeps) {
        Turns.timers(scheduler, count, sleeps);
    }

    @Override
    public Crowd crowd(int processes) throws Exception {
        return Waiting.crowd(scheduler, processes);
    }

    @Override
    public Runnable sleeper(Wakes wakes) {
        return Waiting.sleeper(scheduler, wakes);
    }

    @Override
    public Runnable fairness(Fairness fairness) {
        return Waiting.fairness(scheduler, fairness);
    }

    @Override
    public void close() {
        scheduler.close();
    }

    /** Starts so many processes. */
    static Pid[] start(Scheduler scheduler, int count, IntFunction<Process> process) {
        var pids = new Pid[count];
        for (int i = 0; i < count; i++) {
            pids[i] = scheduler.submit(process.apply(i), "main").pid();
        }
        return pids;
    }

    /** Sends to all. */
    static void tell(Scheduler scheduler, Pid[] pids, String topic) {
        for (Pid pid : pids) {
            scheduler.send(pid, topic, null);
        }
    }
}
