// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.soak;

import dev.treadle.Command;
import dev.treadle.CommandTimeoutException;
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
import dev.treadle.UnknownCommandException;
import dev.treadle.command.Ask;
import dev.treadle.command.Exec;
import dev.treadle.command.Sleep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A process that does random things, a finite number of them, and writes all of them down. */
final class Soaker implements Process {
    /*
     * It does one thing a step. When it has done as many as it may, it waits for the answers and timers that are still
     * out, and is done. All of those come some time, so in a round that is let to run out a process that is left has lost
     * one of them, or a wake-up.
     */
    private static final int BURST = 50;
    private static final Duration REQUEST_TIMEOUT = Duration.ofMillis(20);
    private static final int NAP_MILLIS = 3;
    private static final int SLOW_MILLIS = 60;

    private final Round round;
    private final Ledger ledger;
    private final SplittableRandom random;
    private final boolean small;
    private final boolean failsAtInit;
    private final @Nullable Soaker before;
    private final AtomicBoolean inUse = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();

    private final Map<Long, Class<? extends Command>> open = new HashMap<>();
    private final Set<Letter> timers = new HashSet<>();
    private final List<Message> unanswered = new ArrayList<>();
    private @Nullable ProcessTimer ticking;
    private boolean throwsAtClose;
    private int actionsLeft;
    private long nextTag;

    @SuppressWarnings("NullAway.Init") // set by init
    private ProcessContext context;

    private Soaker(Round round, long seed, int actions, boolean small, boolean failsAtInit, @Nullable Soaker before) {
        this.round = round;
        this.ledger = round.ledger;
        this.random = new SplittableRandom(seed);
        this.small = small;
        this.failsAtInit = failsAtInit;
        this.before = before;
        this.actionsLeft = actions;
    }

    /** Returns a process; one that is small uses no timers, since a small mailbox may refuse their messages. */
    static Soaker of(Round round, long seed, int actions, boolean small) {
        return new Soaker(round, seed, actions, small, false, null);
    }

    static Soaker failingAtInit(Round round) {
        return new Soaker(round, 0, 0, true, true, null);
    }

    boolean isSmall() {
        return small;
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        this.context = context;
        if (before != null) {
            open.putAll(before.open);
            timers.addAll(before.timers);
            nextTag = before.nextTag;
        }
        ledger.initialised(open.size());
        if (failsAtInit) {
            ledger.count(Trouble.INIT_FAILURE);
            throw new Mishap("init throws");
        }
        round.directory.enter(context.self(), random);
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            ledger.fault("a process was closed twice: " + context.self());
        }
        ledger.closed(open.size());
        if (throwsAtClose) {
            ledger.count(Trouble.CLOSE_FAILURE);
            throw new Mishap("close throws");
        }
    }

    @Override
    public void step(Events events, StepOutput out) throws InterruptedException {
        if (!inUse.compareAndSet(false, true) || closed.get()) {
            ledger.fault("process " + context.self() + " was stepped by two at once, or after its close");
        }
        try {
            boolean asked = false;
            for (Event event : events) {
                if (event instanceof Message message) {
                    receive(message);
                } else if (event instanceof Completion completion) {
                    receive(completion);
                } else if (event instanceof Signal signal) {
                    asked |= signal.isCancel();
                }
            }
            if (asked && random.nextInt(10) > 0) {
                leave(out);
            } else {
                goOn(out);
            }
        } finally {
            inUse.set(false);
        }
    }

    // What comes in.

    private void receive(Message message) {
        if (message.payload() instanceof Letter letter) {
            ledger.handled(letter);
            if (letter.kind == Letter.Kind.TIMER && !timers.remove(letter)) {
                ledger.fault("a timer of a life before reached process " + context.self());
            }
        }
        if (message.isRequest()) {
            switch (random.nextInt(4)) {
                case 0 -> context.reply(message, null);
                case 1 -> context.replyError(message, new Mishap("no"));
                case 2 -> unanswered.add(message);
                default -> ledger.count(Trouble.UNANSWERED_REQUEST);
            }
        }
    }

    private void receive(Completion completion) {
        Class<? extends Command> kind = open.remove(completion.tag());
        ledger.completed.increment();
        if (kind == null) {
            ledger.fault(
                    "completion " + completion + " reached process " + context.self() + " twice, or was not for it");
        } else if (!isRight(completion, kind)) {
            ledger.fault("process " + context.self() + " yielded a " + kind.getSimpleName() + " and got " + completion);
        }
    }

    private static boolean isRight(Completion completion, Class<? extends Command> kind) {
        Throwable error = completion.error();
        if (kind == Errand.Inline.class || kind == Errand.Late.class || kind == Errand.Twice.class) {
            return error == null && Long.valueOf(completion.tag()).equals(completion.data());
        }
        if (kind == Errand.Never.class) {
            return error instanceof CommandTimeoutException;
        }
        if (kind == Errand.Throwing.class) {
            return error instanceof Mishap;
        }
        return (kind == Errand.Unknown.class) == (error instanceof UnknownCommandException);
    }

    // What goes out.

    /** Ends because it was asked to: at once, or after a last command. */
    private void leave(StepOutput out) {
        actionsLeft = 0;
        if (random.nextBoolean()) {
            out.done();
        } else {
            write(out, new Sleep(Duration.ofMillis(1)));
            finish(out);
        }
    }

    private void goOn(StepOutput out) throws InterruptedException {
        unanswered.forEach(request -> context.reply(request, null));
        unanswered.clear();
        if (--actionsLeft < 0) {
            finish(out);
        } else {
            act(out);
        }
    }

    private void finish(StepOutput out) {
        ProcessTimer ticking = this.ticking;
        if (ticking != null) {
            ticking.cancel();
            this.ticking = null;
        }
        if (open.isEmpty() && timers.isEmpty()) {
            out.done();
        } else if (!open.isEmpty() && random.nextBoolean()) {
            out.await();
        } else {
            out.idle();
        }
    }

    private void act(StepOutput out) throws InterruptedException {
        sayWhatNext(out);
        int choice = random.nextInt(100);
        if (choice < 38) {
            talk(choice);
        } else if (choice < 72) {
            yieldOne(choice, out);
        } else if (choice < 80) {
            setTimer(choice);
        } else if (choice < 88) {
            spawn(choice, out);
        } else if (choice < 96) {
            makeTrouble(choice, out);
        }
        // else nothing: another step, or the answers to what is out
    }

    /** The default, which some actions say over. Waits only for what is sure to come. */
    private void sayWhatNext(StepOutput out) {
        int choice = random.nextInt(3);
        if (choice == 0 && !open.isEmpty()) {
            out.await();
        } else if (choice == 1 && !(open.isEmpty() && timers.isEmpty())) {
            out.idle();
        } else {
            out.again();
        }
    }

    private void talk(int choice) {
        Pid peer = round.directory.any(random);
        if (peer == null) {
            return;
        }
        int count = choice < 35 ? 1 : BURST;
        if (count == BURST) {
            ledger.count(Trouble.BURST);
        }
        for (int i = 0; i < count; i++) {
            ledger.sent.increment();
            ledger.returned(context.send(peer, "soak", new Letter(Letter.Kind.MESSAGE)));
        }
    }

    private void yieldOne(int choice, StepOutput out) {
        int micros = random.nextInt(3_000);
        if (choice < 46) {
            int count = choice == 45 ? 2 * BURST : 1;
            for (int i = 0; i < count; i++) {
                write(out, new Errand.Inline());
            }
        } else if (choice < 53) {
            write(out, new Errand.Late(micros));
        } else if (choice < 56) {
            write(out, new Errand.Twice(micros));
        } else if (choice < 58) {
            note(Errand.Never.class);
            out.yield(new Errand.Never(), nextTag++, Duration.ofNanos(1 + micros * 1_000L));
        } else if (choice < 60) {
            write(out, new Errand.Throwing());
        } else if (choice == 60) {
            ledger.count(Trouble.UNKNOWN_COMMAND);
            write(out, new Errand.Unknown());
        } else if (choice < 63) {
            write(out, new Errand.Blocking(micros));
        } else if (choice < 67) {
            write(out, new Sleep(Duration.ofNanos(micros * 1_000L)));
        } else {
            Pid peer = round.directory.any(random);
            if (peer != null) {
                note(Ask.class);
                out.yield(new Ask(peer, "soak", new Letter(Letter.Kind.REQUEST)), nextTag++, REQUEST_TIMEOUT);
            }
        }
    }

    private void write(StepOutput out, Command command) {
        note(command.getClass());
        out.yield(command, nextTag++);
    }

    private void note(Class<? extends Command> command) {
        ledger.yields.increment();
        open.put(nextTag, command);
    }

    private void setTimer(int choice) {
        if (small) {
            return;
        }
        if (choice > 72) {
            var letter = new Letter(Letter.Kind.TIMER);
            timers.add(letter);
            context.timers().after(Duration.ofNanos(random.nextInt(3_000_000)), "timer", letter);
        } else if (ticking == null) {
            ticking = context.timers().every(Duration.ofMillis(1), "tick", null);
        }
    }

    private void spawn(int choice, StepOutput out) {
        if (choice < 84) {
            round.trySubmit(child -> context.spawn(child), random.nextLong(), actionsLeft / 2);
        } else if (choice == 84) {
            round.tryFailingInit(child -> context.spawn(child));
        } else if (choice < 87 && round.hasRoom()) {
            write(out, Exec.of(of(round, random.nextLong(), actionsLeft / 2, small), "main"));
        } else {
            ledger.count(Trouble.UPGRADE);
            if (random.nextBoolean()) {
                out.upgrade(of(round, random.nextLong(), actionsLeft, small), "main");
            } else {
                out.upgradeKeepingYields(
                        new Soaker(round, random.nextLong(), actionsLeft, small, random.nextInt(20) == 0, this),
                        "main");
            }
        }
    }

    private void makeTrouble(int choice, StepOutput out) throws InterruptedException {
        switch (choice) {
            case 88 -> {
                ledger.count(Trouble.CRASH);
                write(out, new Errand.Inline()); // written down, and never dispatched
                throw new Mishap("step throws");
            }
            case 89 -> throwsAtClose = true;
            case 90 -> round.trouble(round.directory.any(random), random);
            case 91, 92 -> block(random.nextInt(NAP_MILLIS));
            case 93 -> block(random.nextInt(10) == 0 ? SLOW_MILLIS : 1);
            case 94 -> out.done("early");
            default -> leave(out);
        }
    }

    private void block(int millis) throws InterruptedException {
        ledger.count(Trouble.BLOCKED_STEP);
        TimeUnit.MILLISECONDS.sleep(millis);
    }
}
