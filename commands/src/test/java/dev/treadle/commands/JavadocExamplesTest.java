// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.treadle.CommandRegistry;
import dev.treadle.Process;
import dev.treadle.Scheduler;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The example in the Javadoc of each command is the body of a step. It is compiled, run, and does what it says. One that only
 * shows what to yield gets an end: the completion with tag 2.
 */
class JavadocExamplesTest {
    private static final Pattern EXAMPLE = Pattern.compile("(?s) \\* <pre>\\{@code\n(.*?)\n \\* }</pre>");
    private static final String AROUND = """
            import dev.treadle.*;
            import dev.treadle.Process;
            import dev.treadle.commands.*;
            import java.net.URI;
            import java.time.Duration;
            import java.util.*;
            import java.util.concurrent.atomic.AtomicLong;
            public class Example {
                public static Process process(URI uri) {
                    List<SqlPage> pages = new ArrayList<>();
                    AtomicLong total = new AtomicLong();
                    return Process.of((events, out) -> {
                        BODY
                    });
                }
            }
            """;
    private static final String END = """
            for (Event event : events) {
                if (event instanceof Completion c && c.tag() == 2) {
                    out.done(c.isFailed() ? c.error() : String.valueOf(c.data()));
                }
            }
            """;

    @TempDir
    Path temp;

    private HttpServer server;

    @BeforeEach
    void serve() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = "Good day".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        Files.createDirectories(temp.resolve("files/letters"));
        Files.writeString(temp.resolve("files/letters/hello.txt"), "Hello");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    HttpExchange   | Good day
                    SqlQuery       | [Person[id=1, name=Ada], Person[id=2, name=Alan]]
                    SqlUpdate      | 1 row, id 4
                    SqlBatch       | 2
                    SqlTransaction | [[70], [130]]
                    SqlCursor      | SqlRows[2 rows of [ID], more follow]
                    SqlPage        | 3 of 3
                    SqlClose       | null
                    ReadFile       | Hello
                    WriteFile      | 8
                    AppendFile     | 9
                    """)
    void theExampleRuns(String command, String expected) throws Exception {
        assertThat(run(command)).hasToString(expected);
    }

    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program of the example is one of Unix")
    @ParameterizedTest
    @CsvSource("RunProgram, 'two\none\n'")
    void theExampleOfAProgramRuns(String command, String expected) throws Exception {
        assertThat(run(command)).hasToString(expected);
    }

    private Object run(String command) throws Exception {
        String example = example(command);
        String body =
                example.contains("events.isFirst()") ? example : "if (events.isFirst()) {\n" + example + "\n}\n" + END;
        compile(AROUND.replace("BODY", body));
        var registry = new CommandRegistry();
        HttpHandlers.withDefaults().register(registry);
        SqlHandlers.over(database()).register(registry);
        ProgramHandlers.withDefaults().register(registry);
        FileHandlers.within(temp.resolve("files")).register(registry);
        URL[] path = {temp.toUri().toURL()};
        try (var loader = new URLClassLoader(path, getClass().getClassLoader());
                Scheduler scheduler = Scheduler.builder().handlers(registry).start()) {
            Method process = loader.loadClass("Example").getMethod("process", URI.class);
            var uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
            return scheduler
                    .submit((Process) process.invoke(null, uri), "main")
                    .result()
                    .get(30, TimeUnit.SECONDS);
        }
    }

    private static String example(String command) throws Exception {
        Path source = Path.of("src/main/java/dev/treadle/commands", command + ".java");
        Matcher example = EXAMPLE.matcher(Files.readString(source));
        assertThat(example.find()).as("%s has an example", source).isTrue();
        return example.group(1).replaceAll("(?m)^ \\* ?", "");
    }

    private void compile(String source) {
        var problems = new StringWriter();
        var file = new SimpleJavaFileObject(URI.create("string:///Example.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
        List<String> options = List.of(
                "--release", "17", "-proc:none", "-d", temp.toString(), "-cp", System.getProperty("java.class.path"));
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .getTask(problems, null, null, options, null, List.of(file))
                        .call())
                .as("%s%nin%n%s", problems, source)
                .isTrue();
    }

    private static JdbcDataSource database() throws Exception {
        var source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table person (id bigint auto_increment primary key, name varchar(100))");
            statement.execute("insert into person (name) values ('Ada'), ('Alan'), ('Grace')");
            statement.execute("create table account (id int primary key, balance int)");
            statement.execute("insert into account values (1, 100), (2, 100)");
        }
        return source;
    }
}
