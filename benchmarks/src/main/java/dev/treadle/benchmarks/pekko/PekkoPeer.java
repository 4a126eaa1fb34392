// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.pekko;

import dev.treadle.benchmarks.Fairness;
import dev.treadle.benchmarks.Peer;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Sleeps;
import dev.treadle.benchmarks.Wakes;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.UntypedAbstractActor;
import org.apache.pekko.japi.Creator;

/** Pekko, classic actors. */
public final class PekkoPeer implements Peer {
    private final ActorSystem system;

    /** Starts an actor system. */
    public PekkoPeer(int workers) {
        system = ActorSystem.create("benchmark", Settings.with(workers));
    }

    @Override
    public void pingpong(int messages) throws Exception {
        Balls.play(system, 1, messages);
    }

    @Override
    public void pingpongPairs(int messages) throws Exception {
        Balls.play(system, Shape.PAIRS, messages);
    }

    @Override
    public void ring(int hops) throws Exception {
        Balls.ring(system, hops);
    }

    @Override
    public void counting(int messages) throws Exception {
        Floods.counting(system, messages);
    }

    @Override
    public void fanin(int messages) throws Exception {
        Floods.fanin(system, messages);
    }

    @Override
    public void fjthrow(int messages) throws Exception {
        Floods.fjthrow(system, messages);
    }

    @Override
    public void fjcreate(int processes) throws Exception {
        Families.fjcreate(system, processes);
    }

    @Override
    public void skynet(int processes) throws Exception {
        Families.skynet(system, processes);
    }

    @Override
    public void big(int messages) throws Exception {
        Meetings.big(system, messages);
    }

    @Override
    public void chameneos(int meetings) throws Exception {
        Meetings.chameneos(system, meetings);
    }

    @Override
    public void commandSync(int commands) throws Exception {
        Turns.commandSync(system, commands);
    }

    @Override
    public void commandAsync(int commands, Executor answerer) throws Exception {
        Turns.commandAsync(system, commands, answerer);
    }

    @Override
    public void yieldMany(int turns) throws Exception {
        Turns.yieldMany(system, turns);
    }

    @Override
    public void timers(int count, Sleeps sleeps) {
        Turns.timers(system, count, sleeps);
    }

    @Override
    public Crowd crowd(int processes) throws Exception {
        return Waiting.crowd(system, processes);
    }

    @Override
    public Runnable sleeper(Wakes wakes) {
        return Waiting.sleeper(system, wakes);
    }

    @Override
    public Runnable fairness(Fairness fairness) {
        return Waiting.fairness(system, fairness);
    }

    @Override
    public void close() {
        system.terminate();
        system.getWhenTerminated()
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    /** Returns the recipe for an actor. */
    @SuppressWarnings("deprecation") // the other Creator that Pekko names instead has no such method yet
    static <A extends UntypedAbstractActor> Props props(Class<A> type, Supplier<A> actor) {
        Creator<A> creator = actor::get;
        return Props.create(type, creator);
    }

    /** Starts an actor, from outside. */
    static <A extends UntypedAbstractActor> ActorRef start(ActorSystem system, Class<A> type, Supplier<A> actor) {
        return system.actorOf(props(type, actor));
    }

    /** Starts so many actors, from outside. */
    static <A extends UntypedAbstractActor> ActorRef[] start(
            ActorSystem system, Class<A> type, int count, IntFunction<A> actor) {
        var refs = new ActorRef[count];
        for (int i = 0; i < count; i++) {
            int id = i;
            refs[i] = start(system, type, () -> actor.apply(id));
        }
        return refs;
    }

    /** Sends to all, from outside. */
    static void tell(ActorRef[] refs, Object message) {
        for (ActorRef ref : refs) {
            ref.tell(message, ActorRef.noSender());
        }
    }
}
