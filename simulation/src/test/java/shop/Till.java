// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package shop;

import dev.treadle.Command;
import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessTimer;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import dev.treadle.command.Ask;
import java.time.Duration;
import java.util.List;

/**
 * A process of the tests that uses all of its context: it sums up sales, draws prizes, sets timers, asks, spawns and replies. The
 * bug is what it does otherwise, to be found by a replay.
 */
public final class Till implements Process {
    /** What is sold. */
    public record Sale(String what, int cents, List<String> tags) {}

    /** A command of the tests'. */
    public record Charge(int cents) implements Command {}

    /** What it does otherwise than it should. */
    public enum Bug {
        NONE,
        /** Sums up wrongly, which shows only when the sum is asked for. */
        SUM,
        /** Sends a receipt to somebody else. */
        RECEIPT_TARGET,
        /** Forgets a receipt. */
        NO_RECEIPT,
        /** Sends one receipt too many. */
        TWO_RECEIPTS,
        /** Charges something else. */
        CHARGE,
        /** Does not charge. */
        NO_CHARGE,
        /** Throws. */
        THROW,
        /** Ends early. */
        DONE,
        /** Draws another random number before the one that counts. */
        DRAW,
        /** Looks at the clock once more. */
        CLOCK,
        /** Sets another timer in its first step. */
        TIMER,
        /** Fails in init. */
        INIT
    }

    private final Bug bug;
    private final int from;
    private ProcessContext context;
    private Pid printer;
    private ProcessTimer reminder;
    private int sales;
    private int sum;
    private int prize;
    private int ticks;
    private int inFlight;
    private boolean closing;
    private long openedNanos;

    public Till() {
        this(Bug.NONE, 1);
    }

    /** From which sale on the bug shows. */
    public Till(Bug bug, int from) {
        this.bug = bug;
        this.from = from;
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        this.context = context;
        sum = input.get(0, Integer.class);
        openedNanos = context.time().nanos();
        if (bug == Bug.INIT) {
            throw new IllegalStateException("no change");
        }
    }

    @Override
    public void step(Events events, StepOutput out) {
        if (printer == null) {
            printer = context.spawn(new Printer(), "main", "till " + context.self())
                    .pid();
            context.timers().after(Duration.ofMillis(1), "tick", "once");
            reminder = context.timers().every(Duration.ofMillis(bug == Bug.TIMER ? 9 : 7), "remind", null);
        }
        for (Event event : events) {
            if (event instanceof Message message) {
                handle(message, out);
            } else if (event instanceof Completion completion) {
                inFlight--;
                context.send(printer, completion.isFailed() ? "declined" : "charged", completion.tag());
            } else if (event instanceof Signal signal && signal.isCancel()) {
                out.done("cancelled: " + signal.reason());
            }
        }
        if (closing && inFlight == 0 && ticks > 0) {
            out.done(List.of(sum, prize, ticks, context.isCancelled()));
        }
    }

    private void handle(Message message, StepOutput out) {
        switch (message.topic()) {
            case "sale" -> sell(message.payload(Sale.class), out);
            case "sum" -> context.reply(message, sum);
            case "tick" -> {
                ticks++;
                reminder.cancel();
            }
            case "prize" -> {
                prize += context.random().nextInt(1_000);
                context.send(printer, "prize", prize);
            }
            case "time" -> {
                boolean later = context.time().nanos() >= openedNanos;
                context.reply(message, later ? context.time().instant() : "the clock goes back");
            }
            case "close" -> closing = true;
            default -> {}
        }
    }

    private void sell(Sale sale, StepOutput out) {
        boolean wrong = ++sales >= from;
        if (wrong && bug == Bug.THROW) {
            throw new IllegalArgumentException("no " + sale.what());
        }
        if (wrong && bug == Bug.DRAW) {
            prize += context.random().nextInt(1_000);
        }
        if (wrong && bug == Bug.CLOCK) {
            context.time().instant();
        }
        sum += wrong && bug == Bug.SUM ? 1 : sale.cents();
        if (!(wrong && bug == Bug.NO_RECEIPT)) {
            context.send(wrong && bug == Bug.RECEIPT_TARGET ? context.self() : printer, "receipt", sale);
        }
        if (wrong && bug == Bug.TWO_RECEIPTS) {
            context.send(printer, "receipt", sale);
        }
        if (sale.tags().contains("card") && !(wrong && bug == Bug.NO_CHARGE)) {
            int cents = wrong && bug == Bug.CHARGE ? sale.cents() + 1 : sale.cents();
            out.yield(new Charge(cents), sales, Duration.ofMinutes(1));
            inFlight++;
            out.idle();
        }
        if (sale.tags().contains("ask")) {
            out.yield(new Ask(printer, "ink?", null), 1_000 + sales, Duration.ofMinutes(1));
            inFlight++;
            out.idle();
        }
        if (wrong && bug == Bug.DONE) {
            out.done("early");
        }
    }

    /** Takes receipts, and answers. */
    public static final class Printer implements Process {
        private ProcessContext context;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message && message.isRequest()) {
                    context.reply(message, "black");
                }
            }
        }
    }
}
