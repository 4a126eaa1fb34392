// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.treadle.AttributeBinding;
import dev.treadle.Command;
import dev.treadle.CommandRegistry;
import dev.treadle.Completion;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import dev.treadle.Submission;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.MDC;

/** C5: the attributes of a process are in force where its commands are worked on, as SLF4J's MDC sees it. Public for H2. */
public class AttributesInHandlersTest {
    /** What was bound, and on which thread. */
    private final Queue<String> bound = new ConcurrentLinkedQueue<>();

    /** What a driver finds in the MDC: H2 runs a query, and this function in it, on the thread of the call. */
    public static String trace() {
        return MDC.get("trace");
    }

    private AttributeBinding.Scope bind(String trace) {
        String before = MDC.get("trace");
        MDC.put("trace", trace);
        bound.add(trace + " on " + Thread.currentThread().getName());
        return () -> {
            if (before == null) {
                MDC.remove("trace");
            } else {
                MDC.put("trace", before);
            }
        };
    }

    private Scheduler start(CommandRegistry registry) {
        return Scheduler.builder()
                .handlers(registry)
                .binding(attributes -> bind(String.valueOf(attributes.get("trace"))))
                .start();
    }

    private static ProcessRef start(Scheduler scheduler, Command command, String trace) {
        return scheduler.submit(
                Submission.of(LoneCommand.process(command), "main").attribute("trace", trace));
    }

    private static Completion run(Scheduler scheduler, Command command, String trace) {
        Completion completion = LoneCommand.completion(start(scheduler, command, trace));
        assertThat(completion.error()).isNull();
        return completion;
    }

    private static Object value(Scheduler scheduler, Command query, String trace) {
        return run(scheduler, query, trace).data(SqlRows.class).value();
    }

    @Test
    void inStatementsAndPages() {
        var source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        try (Scheduler scheduler = start(SqlHandlers.over(source).register(new CommandRegistry()))) {
            run(scheduler, SqlUpdate.of("create table seen (trace varchar(9))"), "t0");
            run(scheduler, SqlUpdate.of("create alias trace for \"" + getClass().getName() + ".trace\""), "t0");

            assertThat(value(scheduler, SqlQuery.of("select trace()"), "t1")).isEqualTo("t1");
            run(scheduler, SqlUpdate.of("insert into seen values (trace())"), "t2");
            run(scheduler, SqlBatch.of("insert into seen values (trace() || ?)", List.of(List.of("b"))), "t3");
            run(scheduler, SqlTransaction.of(SqlUpdate.of("insert into seen values (trace())")), "t4");
            assertThat(run(scheduler, SqlQuery.of("select trace from seen order by trace"), "t5")
                            .data(SqlRows.class)
                            .rows())
                    .containsExactly(List.of("t2"), List.of("t3b"), List.of("t4"));

            var reader = new PageReader("select trace()", 1, Integer.MAX_VALUE);
            reader.end(scheduler.submit(Submission.of(reader, "main").attribute("trace", "t6")));
            assertThat(reader.firstValues()).containsExactly("t6");
        }
    }

    @Test
    void whereFilesAreReadAndWritten(@TempDir Path folder) {
        try (Scheduler scheduler = start(FileHandlers.within(folder).register(new CommandRegistry()))) {
            run(scheduler, WriteFile.of("note", "one"), "t1");
            run(scheduler, AppendFile.of("note", "two"), "t2");
            run(scheduler, new ReadFile("note"), "t3");
        }
        assertBoundOffTheWorkers("t1", "t2", "t3");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is one of Unix")
    void whereProgramsAreRunAndFed() {
        try (Scheduler scheduler = start(ProgramHandlers.withDefaults().register(new CommandRegistry()))) {
            run(scheduler, RunProgram.of("cat").withInput(Bytes.of("hello")), "t1");
        }
        assertBoundOffTheWorkers("t1");
    }

    private void assertBoundOffTheWorkers(String... traces) {
        for (String trace : traces) {
            assertThat(bound).anyMatch(each -> each.startsWith(trace + " on treadle-main-blocking-"));
        }
    }

    /** Whoever passes work on to the client's threads can take them along, also for an exchange that had to wait. */
    @Test
    void whereRequestsAreHandedToTheClient() throws Exception {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        var uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        ExecutorService threads = Executors.newCachedThreadPool();
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        HttpClient client = HttpClient.newBuilder()
                .executor(task -> {
                    seen.add(String.valueOf(MDC.get("trace")));
                    threads.execute(task);
                })
                .build();
        try (Scheduler scheduler = start(HttpHandlers.over(client).runningMax(1).register(new CommandRegistry()))) {
            var processes = new ArrayList<ProcessRef>();
            for (int i = 0; i < 10; i++) {
                processes.add(start(scheduler, HttpExchange.get(uri), "t" + i));
            }
            processes.forEach(process -> assertThat(LoneCommand.completion(process)
                            .data(HttpReply.class)
                            .status())
                    .isEqualTo(204));
        } finally {
            server.stop(0);
            threads.shutdownNow();
        }
        assertThat(seen).contains("t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "t9");
    }
}
