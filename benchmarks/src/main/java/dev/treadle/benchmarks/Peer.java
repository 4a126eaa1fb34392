// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

import java.util.concurrent.Executor;

/**
 * One system that runs processes, started with its workers. Each method does one {@link Workload} with as many operations
 * as it is told, checks the result, and returns when all is done. One thread outside of the system calls them, one after
 * the other.
 *
 * <p>Each implementation is what an expert in that system writes for speed. Not allowed is what no user would have: each
 * message is delivered through the mailbox, each process runs a turn of its own, mailboxes have no bound.
 */
public interface Peer extends AutoCloseable {
    /** Two processes pass a ball to and fro. */
    default void pingpong(int messages) throws Exception {
        throw unable();
    }

    /** {@link Shape#PAIRS} pairs of processes pass balls to and fro. */
    default void pingpongPairs(int messages) throws Exception {
        throw unable();
    }

    /** One process sends increments to a counter, then asks for the total. */
    default void counting(int messages) throws Exception {
        throw unable();
    }

    /** {@link Shape#PRODUCERS} processes send to one consumer, which checks count and order. */
    default void fanin(int messages) throws Exception {
        throw unable();
    }

    /** One driver sends to {@link Shape#RECEIVERS} receivers in turn; each computes something. */
    default void fjthrow(int messages) throws Exception {
        throw unable();
    }

    /** Creates processes one after another; each gets one message, computes something, ends. */
    default void fjcreate(int processes) throws Exception {
        throw unable();
    }

    /** {@link Shape#RING} processes pass one token round. */
    default void ring(int hops) throws Exception {
        throw unable();
    }

    /** {@link Shape#BIG} processes send pings to each other at random, one at a time each, and answer with pongs. */
    default void big(int messages) throws Exception {
        throw unable();
    }

    /** {@link Shape#CREATURES} creatures meet in a mall, two by two. */
    default void chameneos(int meetings) throws Exception {
        throw unable();
    }

    /** A tree of processes; each leaf reports its ordinal, each node the sum. */
    default void skynet(int processes) throws Exception {
        throw unable();
    }

    /** {@link Shape#COMMANDERS} processes wait for the answers to commands that are answered on the spot. */
    default void commandSync(int commands) throws Exception {
        throw unable();
    }

    /** {@link Shape#COMMANDERS} processes wait for the answers to commands that another thread answers. */
    default void commandAsync(int commands, Executor answerer) throws Exception {
        throw unable();
    }

    /** {@link Shape#YIELDERS} processes give up their turn and want another one. */
    default void yieldMany(int turns) throws Exception {
        throw unable();
    }

    /** Each process sleeps once. */
    default void timers(int count, Sleeps sleeps) throws Exception {
        throw unable();
    }

    /** Starts processes that each handle one message and then wait for the next; returns when all have. */
    default Crowd crowd(int processes) throws Exception {
        throw unable();
    }

    /**
     * Starts a process that calls {@link Wakes#turn} first thing in each turn.
     *
     * @return sends it a message
     */
    default Runnable sleeper(Wakes wakes) throws Exception {
        throw unable();
    }

    /**
     * Starts the hogs and the crowd of {@link Fairness}.
     *
     * @return sends one message to each of the crowd
     */
    default Runnable fairness(Fairness fairness) throws Exception {
        throw unable();
    }

    /** Stops the system and what is left of its processes. */
    @Override
    void close();

    private UnsupportedOperationException unable() {
        return new UnsupportedOperationException(
                getClass().getSimpleName() + " does not do this workload: Contender says why");
    }

    /** Processes that wait for a message. */
    interface Crowd {
        /** Sends one message to each, and returns when each has handled it. */
        void tellAll() throws Exception;
    }
}
