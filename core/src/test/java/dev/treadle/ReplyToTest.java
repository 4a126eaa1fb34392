// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.relay.Delivery;
import dev.treadle.relay.Envelope;
import dev.treadle.relay.ReplyTo;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** C3 for requests that come in an envelope: who waits hears of the end, and may be any code. */
class ReplyToTest {
    private static final int STARTS = 10_000;

    private static TrackedProcess doneAfterAMessage() {
        return new TrackedProcess((events, out) -> {
            if (!events.isEmpty()) {
                out.done("over"); // and does not reply
            }
        });
    }

    private static Envelope request(Pid target, ReplyTo replyTo) {
        return new Envelope(target, null, "question", null, Map.of(), replyTo);
    }

    @Test
    void whenWhoWaitsThrows_thenTheProcessEndsAllTheSame() {
        ReplyTo broken = new ReplyTo() {
            @Override
            public boolean reply(@Nullable Object payload) {
                throw new IllegalStateException("connection lost");
            }

            @Override
            public boolean replyError(Throwable error) {
                throw new IllegalStateException("connection lost");
            }
        };
        var heard = new RecordingListener();
        try (Scheduler scheduler =
                Scheduler.builder().workers(1).listener(heard).start()) {
            TrackedProcess process = doneAfterAMessage();
            ProcessRef ref = scheduler.submit(process, "main");
            assertThat(scheduler.send(request(ref.pid(), broken))).isEqualTo(Delivery.DELIVERED);

            assertThat(Soon.get(ref.result())).isEqualTo("over");
            assertThat(process.closes).hasValue(1);
            assertThat(ref.inspect()).isEmpty();
        }
    }

    /** Catches a request that finds no process, then finds it, and is not known as a request. */
    @Test
    void whenTheProcessStartsJustThen_thenWhoWaitsHearsOfItsEnd() throws InterruptedException {
        try (Scheduler scheduler = Scheduler.builder().workers(1).start()) {
            var wanted = new AtomicLong(Submission.CHOSEN_ID_MIN - 1);
            Set<Long> unanswered = ConcurrentHashMap.newKeySet();
            var submitter = new Thread(() -> {
                for (long id = Submission.CHOSEN_ID_MIN; id < Submission.CHOSEN_ID_MIN + STARTS; id++) {
                    while (wanted.get() < id) {
                        Thread.onSpinWait();
                    }
                    scheduler.submit(Submission.of(doneAfterAMessage(), "main").id(id));
                }
            });
            submitter.start();
            for (long id = Submission.CHOSEN_ID_MIN; id < Submission.CHOSEN_ID_MIN + STARTS; id++) {
                unanswered.add(id);
                wanted.set(id);
                Envelope request = request(Pid.of(scheduler.name(), id), removing(unanswered, id));
                while (!scheduler.send(request).isDelivered()) {
                    Thread.onSpinWait();
                }
            }
            submitter.join();
            Soon.until(() -> scheduler.stats().completed() == STARTS);
            assertThat(unanswered).isEmpty();
        }
    }

    private static ReplyTo removing(Set<Long> unanswered, long id) {
        return new ReplyTo() {
            @Override
            public boolean reply(@Nullable Object payload) {
                return unanswered.remove(id);
            }

            @Override
            public boolean replyError(Throwable error) {
                return unanswered.remove(id);
            }
        };
    }
}
