// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.run;

import dev.treadle.CommandRegistry;
import dev.treadle.Process;
import dev.treadle.ProcessRef;
import dev.treadle.ShutdownReport;
import dev.treadle.cli.run.RunFile.Service;
import dev.treadle.commands.FileHandlers;
import dev.treadle.commands.HttpHandlers;
import dev.treadle.commands.ProgramHandlers;
import dev.treadle.node.Backoff;
import dev.treadle.node.ChildSpec;
import dev.treadle.node.HostBuilder;
import dev.treadle.node.Node;
import dev.treadle.node.NodeBuilder;
import dev.treadle.node.Spawn;
import dev.treadle.node.SupervisorRef;
import dev.treadle.node.SupervisorSpec;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a run file describes, while it runs: a node, and a supervisor for each service under one at the top.
 *
 * <p>Used by one thread, but for {@link #failure}.
 */
final class Application implements Closeable {
    private static final String TOP = "services";

    private final Node node;
    private final ProcessRef top;
    private final SupervisorRef services;
    private final Consumer<String> log;
    private RunFile file;
    private Program program;

    /** The services that run, in the order in which they were started. */
    private final Map<String, Service> running = new LinkedHashMap<>();

    private Application(RunFile file, Program program, Node node, Consumer<String> log) {
        this.file = file;
        this.program = program;
        this.node = node;
        this.log = log;
        top = node.spawn(SupervisorSpec.oneForOne().spawn().name(TOP)).ref();
        services = SupervisorRef.named(node, TOP);
    }

    /**
     * Starts all that the file says, or nothing.
     *
     * @param log is told what happens
     * @throws RunFileException if a class is missing or wrong; the messages name the lines
     * @throws IllegalStateException if a service does not start
     */
    static Application start(RunFile file, Consumer<String> log) throws RunFileException {
        var program = new Program(file.classPath());
        Map<String, Supplier<Process>> processes = processes(file, program);
        var application = new Application(file, program, node(file, registry(file, program)), log);
        try {
            application.startAll(file.services().keySet(), file, processes);
        } catch (RuntimeException e) {
            application.shutdown(Duration.ofSeconds(1));
            throw e;
        }
        return application;
    }

    /** Checks what the file alone cannot tell: that the classes are there, and are what they must be. */
    static void check(RunFile file) throws RunFileException, IOException {
        try (var program = new Program(file.classPath())) {
            processes(file, program);
        }
    }

    /** Finds all classes before anything starts. */
    private static Map<String, Supplier<Process>> processes(RunFile file, Program program) throws RunFileException {
        var found = new LinkedHashMap<String, Supplier<Process>>();
        var problems = new ArrayList<String>();
        file.services().forEach((name, service) -> {
            try {
                found.put(name, program.process(service.process()));
            } catch (IllegalArgumentException e) {
                problems.add(problem(file, name, "services." + name + ".process", e));
            }
        });
        if (!problems.isEmpty()) {
            throw new RunFileException(problems);
        }
        return found;
    }

    private static String problem(RunFile file, String line, String key, RuntimeException e) {
        return file.path().getFileName() + ":" + file.lines().get(line) + ": " + key + ": " + e.getMessage();
    }

    private static CommandRegistry registry(RunFile file, Program program) throws RunFileException {
        var registry = new CommandRegistry();
        RunFile.Handlers handlers = file.handlers();
        if (handlers.http() != null) {
            HttpHandlers.withDefaults().runningMax(handlers.http()).register(registry);
        }
        if (handlers.programs() != null) {
            ProgramHandlers.withDefaults().runningMax(handlers.programs()).register(registry);
        }
        if (handlers.files() != null) {
            FileHandlers.within(handlers.files()).register(registry);
        }
        for (String name : handlers.classes()) {
            try {
                program.register(name, registry);
            } catch (RuntimeException e) {
                throw new RunFileException(List.of(problem(file, RunFile.HANDLER_CLASSES, RunFile.HANDLER_CLASSES, e)));
            }
        }
        return registry;
    }

    private static Node node(RunFile file, CommandRegistry registry) {
        NodeBuilder builder = Node.builder().name(file.name());
        file.hosts().forEach((name, host) -> builder.host(name, settings -> set(settings, host, registry)));
        return builder.start();
    }

    private static void set(HostBuilder settings, RunFile.Host host, CommandRegistry registry) {
        settings.handlers(registry);
        if (host.workers() != null) {
            settings.workers(host.workers());
        }
        if (host.maxProcesses() != null) {
            settings.maxProcesses(host.maxProcesses());
        }
        if (host.mailboxCapacity() != null) {
            settings.mailboxCapacity(host.mailboxCapacity());
        }
        if (host.allowSenders() != null) {
            settings.allowSenders(host.allowSenders().toArray(String[]::new));
        }
    }

    private void startAll(Iterable<String> names, RunFile from, Map<String, Supplier<Process>> processes) {
        for (String name : names) {
            Service service = from.services().get(name);
            Supplier<Process> process = processes.get(name);
            if (service == null || process == null) {
                throw new IllegalStateException("service " + name + " is not in " + from.path());
            }
            try {
                services.start(ChildSpec.supervisor(name, supervisor(name, service, process)))
                        .join();
            } catch (CompletionException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                throw new IllegalStateException("service \"" + name + "\" did not start: " + deepest(cause), cause);
            }
            running.put(name, service);
            log.accept("started " + name);
        }
    }

    /** The message that says most: a supervisor that did not start has the reason as its cause. */
    static String deepest(Throwable thrown) {
        Throwable at = thrown;
        while (at.getCause() != null) {
            at = at.getCause();
        }
        return at.getMessage() == null ? at.toString() : at.getMessage();
    }

    private static SupervisorSpec supervisor(String name, Service service, Supplier<Process> process) {
        Spawn spawn = Spawn.of(process).method(service.method(), service.input().toArray());
        if (service.host() != null) {
            spawn = spawn.on(service.host());
        }
        if (service.name() != null) {
            spawn = spawn.name(service.name());
        }
        ChildSpec child = ChildSpec.of(name, spawn).restart(service.restart());
        if (service.shutdown() != null) {
            child = child.shutdown(service.shutdown());
        }
        Duration first = service.backoffFirst();
        Duration cap = service.backoffCap();
        return SupervisorSpec.oneForOne()
                .intensity(service.restarts(), service.period())
                .backoff(first == null || cap == null ? Backoff.none() : Backoff.exponential(first, cap))
                .child(child);
    }

    /**
     * Takes over another version of the file: services that are gone or have changed are stopped, those that are new or have
     * changed are started. All others go on, also those that require one that has changed.
     *
     * @throws RunFileException if a class is missing or wrong; then nothing has changed
     * @throws IllegalStateException if a service does not start; the others go on
     */
    void reload(RunFile next) throws RunFileException, IOException {
        boolean sameClasses = program.isSame(next.classPath());
        Program before = program;
        var now = sameClasses ? program : new Program(next.classPath());
        Map<String, Supplier<Process>> processes = processes(next, now);
        if (!next.name().equals(file.name())
                || !next.hosts().equals(file.hosts())
                || !next.handlers().equals(file.handlers())) {
            log.accept("name, hosts or handlers have changed: that takes effect when it is started again");
        }
        var stop = new ArrayList<String>();
        running.forEach((name, service) -> {
            if (!sameClasses || !service.equals(next.services().get(name))) {
                stop.add(name);
            }
        });
        Collections.reverse(stop);
        stop.forEach(this::stop);
        program = now;
        file = next;
        var start = new ArrayList<>(next.services().keySet());
        start.removeAll(running.keySet());
        startAll(start, next, processes);
        log.accept("reloaded: " + stop.size() + " stopped, " + start.size() + " started, "
                + (running.size() - start.size()) + " left alone");
        if (!sameClasses) {
            before.close();
        }
    }

    private void stop(String name) {
        services.remove(name).join();
        running.remove(name);
        log.accept("stopped " + name);
    }

    Node node() {
        return node;
    }

    /** Any thread: returns why all services have ended, or null as long as they have not. */
    @Nullable
    String failure() {
        if (!top.result().isDone()) {
            return null;
        }
        return top.result()
                .handle((result, thrown) -> thrown == null ? "they were ended" : deepest(thrown))
                .join();
    }

    /** Stops the services in the reverse order, and then the hosts. */
    Map<String, ShutdownReport> shutdown(Duration timeout) {
        var names = new ArrayList<>(running.keySet());
        Collections.reverse(names);
        if (failure() == null) {
            SupervisorRef patient = services.timeout(timeout);
            for (String name : names) {
                try {
                    patient.remove(name).join();
                    log.accept("stopped " + name);
                } catch (CompletionException e) {
                    log.accept(name + " did not stop: " + deepest(e));
                    break; // the hosts end what is left
                }
            }
            top.cancel("the program ends");
        }
        running.clear();
        return node.shutdown(timeout);
    }

    @Override
    public void close() throws IOException {
        shutdown(Duration.ofSeconds(1));
        program.close();
    }
}
