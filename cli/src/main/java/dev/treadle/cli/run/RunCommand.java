// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.run;

import dev.treadle.ShutdownReport;
import dev.treadle.cli.EndRequest;
import dev.treadle.cli.ExitCode;
import dev.treadle.cli.QuietLog;
import dev.treadle.node.Node;
import dev.treadle.node.Spawn;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code treadle run}: runs a program from a file, or one process from a jar. */
@Command(
        name = "run",
        description = {
            "Runs the services that a file describes until Ctrl-C, or one process of a jar until it is done.",
            "",
            "A file names hosts, handlers and services, with their restart rules and what they require. It is checked as a"
                    + " whole before anything starts; problems name their line and key. Values may have variables of the"
                    + " environment: $${NAME} or $${NAME:-default}.",
            "",
            "SIGHUP (kill -HUP) reads the file again: services that have changed are started again, others go on."
        },
        sortOptions = false,
        footer = {
            "",
            "The least that a file needs:",
            "  class-path: build/app.jar",
            "  services:",
            "    web:",
            "      process: com.acme.Web",
            "",
            "Examples:",
            "  treadle run app.yaml",
            "  treadle run --check app.yaml",
            "  treadle run app.jar --process com.acme.Report --method main 2026 all",
            "",
            "Exit codes: 0 done, 1 failed or ended by force, 2 wrong usage or a wrong file, 130 Ctrl-C."
        })
public final class RunCommand implements Callable<Integer> {
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration PATIENCE = SHUTDOWN_TIMEOUT.multipliedBy(3);
    private static final Duration LOOK = Duration.ofMillis(200);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "FILE",
            description = "A file such as app.yaml, or a jar together with --process.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Parameters(index = "1..*", paramLabel = "ARG", description = "What the process gets as input, as text.")
    private List<String> arguments = new ArrayList<>();

    @Option(
            names = "--process",
            paramLabel = "CLASS",
            description = "Run one process of this class, and print its result.")
    private @Nullable String process;

    @Option(names = "--method", paramLabel = "NAME", description = "Its entry point. By default main.")
    private @Nullable String method;

    @Option(names = "--check", description = "Only check the file and its classes.")
    private boolean checkOnly;

    /** Made by picocli. */
    public RunCommand() {}

    @Override
    public Integer call() throws Exception {
        if (!Files.isReadable(file)) {
            throw usage("file " + file + " cannot be read: is it there?");
        }
        QuietLog.warningsOnly();
        PrintWriter out = spec.commandLine().getOut();
        if (process != null) {
            return runProcess(process, out);
        }
        if (file.toString().endsWith(".jar")) {
            throw usage("a jar needs --process: name the class to run, such as --process com.acme.Main");
        }
        if (method != null || !arguments.isEmpty()) {
            throw usage("--method and arguments are for --process: in a file, write method and input below a service");
        }
        try {
            RunFile read = RunFileReader.read(file, System::getenv);
            if (checkOnly) {
                Application.check(read);
                out.println(file + " is fine: " + read.services().size() + " services on "
                        + read.hosts().keySet());
                out.flush();
                return ExitCode.OK;
            }
            return runFile(read, out);
        } catch (RunFileException e) {
            throw usage(file + " cannot be run:" + System.lineSeparator() + e.getMessage());
        }
    }

    private ParameterException usage(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }

    private int runFile(RunFile read, PrintWriter out) throws RunFileException, IOException {
        var reload = new AtomicBoolean();
        try (EndRequest end = EndRequest.listen(PATIENCE);
                Application application = Application.start(read, line -> say(out, line))) {
            boolean hears = HangUp.listen(() -> reload.set(true));
            say(
                    out,
                    "running \"" + read.name() + "\" as process "
                            + ProcessHandle.current().pid() + "; Ctrl-C ends it"
                            + (hears ? ", kill -HUP reloads it" : ""));
            String failure = null;
            while (failure == null && !end.await(LOOK)) {
                if (reload.getAndSet(false)) {
                    reload(application, out);
                }
                failure = application.failure();
            }
            boolean graceful =
                    application.shutdown(SHUTDOWN_TIMEOUT).values().stream().allMatch(ShutdownReport::isGraceful);
            if (failure != null) {
                throw new IllegalStateException("the services have ended, since one failed too often: " + failure);
            }
            say(out, graceful ? "ended" : "ended, some by force");
            return graceful ? ExitCode.OK : ExitCode.FAILURE;
        }
    }

    private void reload(Application application, PrintWriter out) {
        try {
            application.reload(RunFileReader.read(file, System::getenv));
        } catch (RunFileException e) {
            say(out, "not reloaded, all goes on as before:" + System.lineSeparator() + e.getMessage());
        } catch (IOException | RuntimeException e) {
            say(out, "reload failed: " + Application.deepest(e));
        }
    }

    private int runProcess(String className, PrintWriter out) throws Exception {
        try (EndRequest end = EndRequest.listen(PATIENCE);
                var program = new Program(List.of(file));
                Node node = Node.builder().name("run").start()) {
            Spawn spawn;
            try {
                spawn = Spawn.of(program.process(className))
                        .method(method == null ? Spawn.METHOD_DEFAULT : method, arguments.toArray());
            } catch (IllegalArgumentException e) {
                throw usage(String.valueOf(e.getMessage()));
            }
            var ref = node.spawn(spawn).ref();
            CompletableFuture<?> result = ref.result();
            while (!result.isDone() && !end.await(LOOK)) {
                // until it is done, or Ctrl-C
            }
            if (end.isAsked()) {
                ref.cancel("Ctrl-C", SHUTDOWN_TIMEOUT);
            }
            try {
                Object value = result.get();
                if (value != null) {
                    out.println(value);
                    out.flush();
                }
                return ExitCode.OK;
            } catch (ExecutionException e) {
                throw new IllegalStateException(
                        "process " + className + " failed: " + Application.deepest(e), e.getCause());
            }
        }
    }

    private static void say(PrintWriter out, String line) {
        out.println("treadle: " + line);
        out.flush();
    }
}
