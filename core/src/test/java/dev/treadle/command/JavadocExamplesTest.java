// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Process;
import dev.treadle.Scheduler;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The example in the Javadoc of each built-in command is what the first step of a process yields, with tag 1. It is compiled
 * and run, and completes as it says. What it names is there: an account to ask, a checkout to run, a file.
 */
class JavadocExamplesTest {
    private static final Pattern EXAMPLE = Pattern.compile("(?s) \\* <pre>\\{@code\n(.*?)\n \\* }</pre>");
    private static final String AROUND = """
            import dev.treadle.*;
            import dev.treadle.Process;
            import dev.treadle.command.*;
            import java.nio.file.*;
            import java.time.*;
            import java.util.*;
            public class Example implements Process {
                record Auction(Instant end) {}
                static final class Account implements Process {
                    private ProcessContext context;
                    @Override public void init(ProcessContext context, String method, Payloads input) {
                        this.context = context;
                    }
                    @Override public void step(Events events, StepOutput out) {
                        for (Event event : events) {
                            if (event instanceof Message m && m.topic().equals("balance")) {
                                context.reply(m, 42);
                            }
                        }
                    }
                }
                static final class Checkout implements Process {
                    private List<?> cart;
                    @Override public void init(ProcessContext context, String method, Payloads input) {
                        cart = input.get(0, List.class);
                    }
                    @Override public void step(Events events, StepOutput out) {
                        out.done(cart.size() + " articles");
                    }
                }
                private final Path path;
                private final Auction auction = new Auction(Instant.now().plusMillis(5));
                private final List<String> cart = List.of("apple", "pear");
                private Pid account;
                public Example(Path path) {
                    this.path = path;
                }
                @Override public void init(ProcessContext context, String method, Payloads input) {
                    account = context.spawn(new Account(), "main").pid();
                }
                @Override public void step(Events events, StepOutput out) {
                    if (events.isEmpty()) {
                        BODY
                    }
                    for (Event event : events) {
                        if (event instanceof Completion c && c.tag() == 1) {
                            out.done(c.isFailed() ? c.error() : String.valueOf(c.data()));
                        }
                    }
                }
            }
            """;

    @TempDir
    Path temp;

    @ParameterizedTest
    @CsvSource({"Ask, 42", "Call, Hello", "Exec, 2 articles", "Sleep, null", "WaitUntil, null"})
    void theExampleRuns(String command, String expected) throws Exception {
        compile(AROUND.replace("BODY", example(command)));
        Path file = Files.writeString(temp.resolve("hello.txt"), "Hello");
        URL[] path = {temp.toUri().toURL()};
        try (var loader = new URLClassLoader(path, getClass().getClassLoader());
                Scheduler scheduler = Scheduler.builder().start()) {
            var process = (Process)
                    loader.loadClass("Example").getConstructor(Path.class).newInstance(file);

            assertThat(scheduler.submit(process, "main").result().get(60, TimeUnit.SECONDS))
                    .isEqualTo(expected);
        }
    }

    private static String example(String command) throws Exception {
        Path source = Path.of("src/main/java/dev/treadle/command", command + ".java");
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
}
