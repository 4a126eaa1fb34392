// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.relay.Delivery;
import dev.treadle.timer.TimerNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Requests from outside of the scheduler: futures that complete with a reply, an error or a timeout, also at a shutdown. */
final class OutsideAsks {
    /*
     * A request is in the set until its future is complete. A shutdown closes the set and then fails what is in it; a
     * request that comes meanwhile is put in first and looks whether the set is closed after that. One of the two sees the
     * other. Without the set, a request to a process that never returns from its step would wait for ever.
     */
    private final Scheduler scheduler;
    private final Executor threads;
    private final Set<OutsideAsk> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong numbers = new AtomicLong();
    private volatile boolean closed;

    OutsideAsks(Scheduler scheduler, Executor threads) {
        this.scheduler = scheduler;
        this.threads = threads;
    }

    /** Any thread. */
    CompletableFuture<@Nullable Object> ask(ProcessCell target, String topic, @Nullable Object payload, long nanos) {
        Objects.requireNonNull(topic, "topic is null: name what the request is about, or use an empty string");
        Worker worker = scheduler.routing.currentWorker();
        Map<String, Object> attributes = worker == null ? Map.of() : worker.carried();
        var ask = new OutsideAsk(target.self(), topic, attributes, nanos);
        open.add(ask);
        scheduler.timers.start(ask.timeout, nanos);
        Delivery delivery = scheduler.routing.request(target, Message.from(ask, topic, payload));
        if (!delivery.isDelivered()) {
            ask.answer(null, AskFailedException.undelivered(target.self(), topic, delivery));
        } else if (closed) {
            ask.answer(null, AskFailedException.undelivered(target.self(), topic, Delivery.STOPPING));
        }
        return ask.future.copy(); // so that whoever completes it early does so for himself
    }

    /** The one who shuts down, at the end, who must not be held up by what users do when their futures complete. */
    void close() {
        closed = true;
        if (!open.isEmpty()) {
            onAThread(this::failAll);
        }
    }

    /** Runs what calls code of users. If there is no thread to be had, memory most likely, rather here than never. */
    private void onAThread(Runnable action) {
        try {
            threads.execute(action);
        } catch (Throwable noThread) {
            action.run();
        }
    }

    private void failAll() {
        var oldestFirst = new ArrayList<>(open);
        oldestFirst.sort(Comparator.comparingLong(ask -> ask.number));
        for (OutsideAsk ask : oldestFirst) {
            ask.answer(null, AskFailedException.undelivered(ask.target, ask.topic, Delivery.STOPPING));
        }
    }

    int size() {
        return open.size();
    }

    /** One request. */
    private final class OutsideAsk extends Request {
        private final long number = numbers.getAndIncrement();
        private final Pid target;
        private final Map<String, Object> attributes;
        private final Timeout timeout;
        private final ResultFuture<@Nullable Object> future = new ResultFuture<>();

        OutsideAsk(Pid target, String topic, Map<String, Object> attributes, long nanos) {
            super(topic);
            this.target = target;
            this.attributes = attributes;
            this.timeout = new Timeout(this, nanos);
        }

        @Override
        boolean answer(@Nullable Object payload, @Nullable Throwable error) {
            if (!open.remove(this)) {
                scheduler.routing.lateAnswer();
                return false;
            }
            scheduler.timers.cancel(timeout);
            return error == null ? future.complete(payload) : future.completeExceptionally(error);
        }

        @Override
        public boolean isOver() {
            return !open.contains(this);
        }

        @Override
        public @Nullable Pid pid() {
            return null;
        }

        @Override
        public Map<String, Object> attributes() {
            return attributes;
        }
    }

    /** Fails a request that was not answered in time, on a thread where user code may run. */
    private final class Timeout extends TimerNode {
        private final OutsideAsk ask;
        private final long nanos;

        Timeout(OutsideAsk ask, long nanos) {
            this.ask = ask;
            this.nanos = nanos;
        }

        @Override
        protected void fire() {
            onAThread(this::fail); // there is none either if the scheduler is at its end, and this one of the last
        }

        private void fail() {
            if (!ask.isOver()) {
                ask.answer(null, AskFailedException.timedOut(ask.target, ask.topic, Duration.ofNanos(nanos)));
            }
        }
    }
}
