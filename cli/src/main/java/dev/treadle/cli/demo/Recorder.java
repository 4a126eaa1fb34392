// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import dev.treadle.Command;
import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import dev.treadle.cli.demo.Station.Summary;
import dev.treadle.commands.SqlBatch;
import dev.treadle.commands.SqlQuery;
import dev.treadle.commands.SqlUpdate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Writes summaries to the database, many at a time, and answers questions from it. One write is under way at a time; what
 * comes meanwhile is the next batch. If the database fails, the recorder fails, and its service starts it again.
 */
final class Recorder implements Process {
    static final String NAME = "recorder";

    /** A {@link Summary} to write. */
    static final String SUMMARY = "summary";

    /** Asks for the sites with the highest readings of late. */
    static final String HOTTEST = "hottest";

    private static final String FORGET = "forget";
    private static final Duration KEPT = Duration.ofMinutes(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int BATCH_MAX = 10_000;
    private static final long TABLE = 1;
    private static final long WRITTEN = 2;
    private static final long FORGOTTEN = 3;
    private static final long FIRST_QUESTION = 100;

    private static final String CREATE =
            "create table if not exists telemetry (at timestamp, site int, readings int, mean double, highest double)";
    private static final String INSERT = "insert into telemetry values (?, ?, ?, ?, ?)";
    private static final String DELETE = "delete from telemetry where at < ?";
    private static final String SELECT = "select site, sum(readings) readings, max(highest) highest from telemetry"
            + " where at > ? group by site order by highest desc limit 10";

    private final LongAdder rowsWritten;
    private final List<List<Object>> waiting = new ArrayList<>();
    private final Map<Long, Message> questions = new HashMap<>();
    private ProcessContext context;
    private boolean started;
    private boolean writing = true; // the table comes first
    private int batchSize;
    private long nextQuestion = FIRST_QUESTION;

    Recorder(LongAdder rowsWritten) {
        this.rowsWritten = rowsWritten;
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        this.context = context;
        context.timers().every(KEPT.dividedBy(6), FORGET, null);
    }

    @Override
    public void step(Events events, StepOutput out) {
        out.idle(); // messages are taken while the database works
        if (!started) {
            started = true;
            out.yield(SqlUpdate.of(CREATE), TABLE, TIMEOUT);
        }
        for (Event event : events) {
            if (event instanceof Message message) {
                receive(message, out);
            } else if (event instanceof Completion completion) {
                resume(completion);
            } else if (event instanceof Signal signal && signal.isCancel()) {
                out.done();
                return;
            }
        }
        if (!writing && !waiting.isEmpty()) {
            writing = true;
            batchSize = waiting.size();
            out.yield(SqlBatch.of(INSERT, waiting), WRITTEN, TIMEOUT);
            waiting.clear();
        }
    }

    private void receive(Message message, StepOutput out) {
        switch (message.topic()) {
            case SUMMARY -> {
                Summary summary = message.payload(Summary.class);
                if (waiting.size() < BATCH_MAX) { // a database that is too slow must not fill the memory
                    waiting.add(List.of(now(), summary.site(), summary.readings(), summary.mean(), summary.max()));
                }
            }
            case HOTTEST -> {
                questions.put(nextQuestion, message);
                ask(SqlQuery.of(SELECT, now().minusSeconds(10)), nextQuestion++, out);
            }
            case FORGET -> ask(SqlUpdate.of(DELETE, now().minus(KEPT)), FORGOTTEN, out);
            default -> throw new IllegalArgumentException("the recorder got an unknown " + message);
        }
    }

    private static void ask(Command command, long tag, StepOutput out) {
        out.yield(command, tag, TIMEOUT);
    }

    private void resume(Completion completion) {
        Message question = questions.remove(completion.tag());
        if (question != null) {
            if (completion.error() == null) {
                context.reply(question, completion.data());
            } else {
                context.replyError(question, completion.error());
            }
            return;
        }
        if (completion.error() != null && !context.isCancelled()) {
            throw new IllegalStateException("the database failed: see the cause", completion.error());
        }
        if (completion.tag() == TABLE) {
            writing = false;
        } else if (completion.tag() == WRITTEN) {
            writing = false;
            rowsWritten.add(batchSize);
        }
    }

    private Instant now() {
        return context.time().instant();
    }
}
