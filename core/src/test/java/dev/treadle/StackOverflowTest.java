// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A stack that overflows anywhere, inside of {@code send} too, harms nobody but its own process. */
class StackOverflowTest {
    private static final int RECEIVERS = 64;

    /** Sends to another idle process in each frame of a recursion without end. */
    private static final class Digger implements Process {
        private final List<ProcessRef> receivers;
        private final boolean sendsOnAfter;
        private ProcessContext context;
        private int depth;

        Digger(List<ProcessRef> receivers, boolean sendsOnAfter) {
            this.receivers = receivers;
            this.sendsOnAfter = sendsOnAfter;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            dig();
        }

        @SuppressWarnings("InfiniteRecursion")
        private void dig() {
            Pid receiver = receivers.get(depth++ % RECEIVERS).pid();
            context.send(receiver, "dug", null);
            if (!sendsOnAfter) {
                dig();
                return;
            }
            try {
                dig();
            } catch (StackOverflowError e) {
                context.send(receiver, "overflown", null);
                throw e;
            }
        }
    }

    @AtWorkers
    void noReceiverIsLost(int workers) {
        try (Scheduler scheduler =
                Scheduler.builder().workers(workers).mailboxCapacity(0).start()) {
            var receivers = new ArrayList<ProcessRef>();
            for (int i = 0; i < RECEIVERS; i++) {
                receivers.add(scheduler.submit(new Answering(), "main"));
            }
            for (int round = 0; round < 40; round++) {
                ProcessRef digger = scheduler.submit(new Digger(receivers, round % 4 == 3), "main");
                assertThat(Soon.exitOf(digger).reason()).isInstanceOf(StackOverflowError.class);
                List<CompletableFuture<Object>> answers = receivers.stream()
                        .map(receiver -> receiver.ask("there?", null, Duration.ofMinutes(1)))
                        .toList();
                answers.forEach(answer -> assertThat(Soon.get(answer)).isEqualTo("here"));
            }
        }
    }

    private static final class Answering implements Process {
        private ProcessContext context;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message && message.isRequest()) {
                    context.reply(message, "here");
                }
            }
        }
    }
}
