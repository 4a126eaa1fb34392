// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessRef;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import dev.treadle.command.Ask;
import dev.treadle.node.ChildSpec;
import dev.treadle.node.Node;
import dev.treadle.node.ServiceSpec;
import dev.treadle.node.Spawn;
import dev.treadle.node.SupervisorRef;
import dev.treadle.node.SupervisorSpec;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Accounts that may fail at any moment, and come back with their balance.
 *
 * <p>An account changes its balance in memory, tells the journal, and replies when the journal has it. So what was replied is
 * never lost. If anything goes wrong the account does not try to repair itself: it fails, its supervisor starts a fresh one,
 * and that one reads the journal.
 */
public final class Bank implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Node node;
    private final SupervisorRef accounts;

    /** Opens a bank without accounts. */
    public Bank() {
        node = Node.builder()
                .name("bank")
                .service(ServiceSpec.of("journal", Spawn.of(Journal::new).name("journal")))
                .start();
        SupervisorSpec supervisor = SupervisorSpec.oneForOne().intensity(100, Duration.ofSeconds(10));
        node.spawn(supervisor.spawn().name("accounts"));
        accounts = SupervisorRef.named(node, "accounts");
    }

    /** Opens an account, and waits until it is there. */
    public void open(String owner) {
        Pid journal = node.names().find("journal").orElseThrow();
        accounts.start(ChildSpec.of(
                        owner, Spawn.of(() -> new Account(owner, journal)).name("account of " + owner)))
                .join();
    }

    /** Asks an account: "deposit" or "withdraw" with an amount, or "balance". The reply is the balance after that. */
    public CompletableFuture<@Nullable Object> ask(String owner, String topic, @Nullable Object payload) {
        return find(owner)
                .map(account -> account.ask(topic, payload, TIMEOUT))
                .orElseGet(() -> CompletableFuture.failedFuture(new IllegalStateException(
                        owner + " has no account, or it is just being started again: open one, or try again")));
    }

    /** Returns whether an account is there now. */
    public boolean isOpen(String owner) {
        return find(owner).isPresent();
    }

    private Optional<ProcessRef> find(String owner) {
        return node.names().find("account of " + owner).flatMap(node::find);
    }

    @Override
    public void close() {
        node.close();
    }

    /** What the journal keeps of an account. */
    private record Entry(String owner, long balance) {}

    /** Keeps the balances. It stands for a database, and keeps them only as long as it lives. */
    private static final class Journal implements Process {
        private final Map<String, Long> balances = new HashMap<>();
        private ProcessContext context;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message && message.topic().equals("load")) {
                    context.reply(message, balances.getOrDefault(message.payload(String.class), 0L));
                } else if (event instanceof Message message && message.topic().equals("store")) {
                    Entry entry = message.payload(Entry.class);
                    balances.put(entry.owner(), entry.balance());
                    context.reply(message, entry.balance());
                } else if (event instanceof Signal signal && signal.isCancel()) {
                    out.done();
                }
            }
        }
    }

    /** The money of one customer. */
    private static final class Account implements Process {
        private static final long LOAD = 0;

        private final String owner;
        private final Pid journal;
        private final Queue<Message> early = new ArrayDeque<>();
        private final Map<Long, Message> storing = new HashMap<>();
        private ProcessContext context;
        private boolean started;
        private boolean loaded;
        private long balance;
        private long lastTag = LOAD;

        Account(String owner, Pid journal) {
            this.owner = owner;
            this.journal = journal;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            out.idle(); // not blocked: what comes while the journal writes may be worked on
            if (!started) {
                started = true;
                out.yield(new Ask(journal, "load", owner), LOAD, TIMEOUT);
            }
            for (Event event : events) {
                if (event instanceof Message message) {
                    receive(message, out);
                } else if (event instanceof Completion completion) {
                    written(completion, out);
                } else if (event instanceof Signal signal && signal.isCancel()) {
                    out.done();
                }
            }
        }

        private void receive(Message message, StepOutput out) {
            if (!loaded) {
                early.add(message);
                return;
            }
            switch (message.topic()) {
                case "balance" -> context.reply(message, balance);
                case "deposit" -> change(message, message.payload(Integer.class), out);
                case "withdraw" -> change(message, -message.payload(Integer.class), out);
                default -> throw new IllegalArgumentException("account of " + owner + " got an unknown " + message);
            }
        }

        private void change(Message request, int amount, StepOutput out) {
            if (balance + amount < 0) {
                context.replyError(
                        request,
                        new IllegalArgumentException(
                                -amount + " is more than the " + balance + " that " + owner + " has: withdraw less"));
                return;
            }
            balance += amount;
            storing.put(++lastTag, request);
            out.yield(new Ask(journal, "store", new Entry(owner, balance)), lastTag, TIMEOUT);
        }

        private void written(Completion completion, StepOutput out) {
            if (completion.tag() == LOAD) {
                balance = completion.data(Long.class); // throws if it failed, and so ends this account
                loaded = true;
                early.forEach(message -> receive(message, out));
                early.clear();
            } else {
                Message request = storing.remove(completion.tag());
                if (request != null) {
                    context.reply(request, completion.data(Long.class));
                }
            }
        }
    }

    /** Moves money, breaks an account, and looks again. */
    public static void main(String[] args) throws Exception {
        try (var bank = new Bank()) {
            bank.open("Ada");
            System.out.println("Ada has " + bank.ask("Ada", "deposit", 100).get());
            bank.ask("Ada", "nonsense", null)
                    .exceptionally(failure -> failure.getMessage())
                    .get();
            while (!bank.isOpen("Ada")) {
                Thread.sleep(10); // the supervisor is about to start it again
            }
            System.out.println(
                    "After a crash Ada has " + bank.ask("Ada", "balance", null).get());
        }
    }
}
