// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.soak;

import dev.treadle.CommandRegistry;
import dev.treadle.ResultReceiver;
import dev.treadle.cli.soak.Errand.Blocking;
import dev.treadle.cli.soak.Errand.Inline;
import dev.treadle.cli.soak.Errand.Late;
import dev.treadle.cli.soak.Errand.Never;
import dev.treadle.cli.soak.Errand.Throwing;
import dev.treadle.cli.soak.Errand.Twice;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Answers errands, and looks whether a second answer is refused as it must be. */
final class ErrandHandlers {
    private final Ledger ledger;
    private final ScheduledExecutorService later;

    ErrandHandlers(Ledger ledger, ScheduledExecutorService later) {
        this.ledger = ledger;
        this.later = later;
    }

    CommandRegistry registry() {
        return new CommandRegistry()
                .register(Inline.class, (errand, receiver) -> receiver.complete(receiver.tag()))
                .register(Late.class, (errand, receiver) -> {
                    ledger.count(Trouble.ANSWERED_LATE);
                    later(errand.micros(), () -> receiver.complete(receiver.tag()));
                })
                .register(Twice.class, (errand, receiver) -> {
                    ledger.count(Trouble.ANSWERED_TWICE);
                    receiver.complete(receiver.tag());
                    answerAgain(receiver);
                    later(errand.micros(), () -> answerAgain(receiver));
                })
                .register(Never.class, (errand, receiver) -> ledger.count(Trouble.NEVER_ANSWERED))
                .register(Throwing.class, (errand, receiver) -> {
                    ledger.count(Trouble.HANDLER_THROWS);
                    throw new Mishap("the handler throws");
                })
                .registerBlocking(Blocking.class, errand -> {
                    TimeUnit.MICROSECONDS.sleep(errand.micros());
                    return errand.micros();
                });
    }

    private void answerAgain(ResultReceiver receiver) {
        if (receiver.complete(receiver.tag())) {
            ledger.fault("a second answer to tag " + receiver.tag() + " of " + receiver.pid() + " was taken");
        }
    }

    private void later(int micros, Runnable answer) {
        try {
            Future<?> unused = later.schedule(answer, micros, TimeUnit.MICROSECONDS); // the books tell if it fails
        } catch (RejectedExecutionException e) {
            answer.run(); // the soak is at its end, and this scheduler has been given up as hung
        }
    }
}
