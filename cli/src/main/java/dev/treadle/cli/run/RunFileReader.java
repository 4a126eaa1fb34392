// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.run;

import dev.treadle.cli.run.RunFile.Handlers;
import dev.treadle.cli.run.RunFile.Host;
import dev.treadle.cli.run.RunFile.Service;
import dev.treadle.node.Restart;
import dev.treadle.node.SupervisorSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Reads a run file. */
final class RunFileReader {
    private static final Duration BACKOFF_CAP = Duration.ofSeconds(10);
    private static final String MAIN_HOST = "main";

    private final Path path;
    private final Problems problems;
    private final Variables variables;
    private final Map<String, Integer> lines = new LinkedHashMap<>();

    private RunFileReader(Path path, Function<String, @Nullable String> environment) {
        this.path = path;
        this.problems = new Problems(Objects.toString(path.getFileName()));
        this.variables = new Variables(environment);
    }

    /**
     * Reads a file.
     *
     * @param environment gives the value of a variable, or null
     * @throws RunFileException with all that is wrong in it
     * @throws IOException if it cannot be read
     */
    static RunFile read(Path path, Function<String, @Nullable String> environment)
            throws IOException, RunFileException {
        return new RunFileReader(path, environment).read(Files.readString(path));
    }

    private RunFile read(String text) throws RunFileException {
        Section top = new Section(parse(text), "", problems, variables);
        String name = top.text("name", "app");
        List<Path> classPath = classPath(top);
        Map<String, Host> hosts = hosts(top);
        Handlers handlers = handlers(top);
        Map<String, Service> services = services(top, hosts);
        top.end();
        problems.throwIfAny();
        return new RunFile(path, name, classPath, hosts, handlers, services, lines);
    }

    private Node parse(String text) throws RunFileException {
        try {
            LoadSettings settings = LoadSettings.builder().build();
            var parser = new ParserImpl(settings, new StreamReader(settings, text));
            Optional<Node> root = new Composer(settings, parser).getSingleNode();
            if (root.isPresent()) {
                return root.get();
            }
            problems.add(1, "", "the file is empty: name at least one service, as docs/guide/run.md shows");
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            problems.add(line, "", "this is not YAML: " + e.getProblem() + "; look at indentation and quotes");
        } catch (YamlEngineException e) {
            problems.add(1, "", "this is not YAML: " + e.getMessage());
        }
        problems.throwIfAny();
        throw new AssertionError("there was a problem");
    }

    /** Jars, folders with classes, and folders of jars as in {@code lib/*}; relative to the file. */
    private List<Path> classPath(Section top) {
        var found = new ArrayList<Path>();
        for (String entry : top.texts("class-path")) {
            boolean all = entry.endsWith("/*");
            Path place = resolve(all ? entry.substring(0, entry.length() - 2) : entry);
            if (!Files.exists(place)) {
                top.complain(
                        "class-path",
                        "\"" + entry + "\" is not there, looked at " + place
                                + ": build it, or correct the path; it is relative to the file");
            } else if (all) {
                try (Stream<Path> jars = Files.list(place)) {
                    jars.filter(jar -> jar.toString().endsWith(".jar")).sorted().forEach(found::add);
                } catch (IOException e) {
                    top.complain("class-path", "\"" + entry + "\" cannot be listed: " + e.getMessage());
                }
            } else {
                found.add(place);
            }
        }
        return found;
    }

    private Path resolve(String relative) {
        Path folder = path.toAbsolutePath().getParent();
        return (folder == null ? Path.of(relative) : folder.resolve(relative)).normalize();
    }

    private Map<String, Host> hosts(Section top) {
        var hosts = new LinkedHashMap<String, Host>();
        Map<String, Section> sections = top.sections("hosts");
        sections.forEach((name, section) -> {
            Integer workers = section.number("workers", 1, "leave it out to use one per processor");
            Integer maxProcesses = section.number("max-processes", 0, "use 0 for as many as memory holds");
            Integer mailboxCapacity = section.number("mailbox-capacity", 0, "leave it out to use 65536");
            boolean limited = section.has("allow-senders");
            List<String> senders = section.texts("allow-senders");
            for (String sender : senders) {
                checkKnown(section, "allow-senders", sender, sections.keySet(), "host");
            }
            section.end();
            hosts.put(name, new Host(workers, maxProcesses, mailboxCapacity, limited ? senders : null));
        });
        if (hosts.isEmpty()) {
            hosts.put(MAIN_HOST, new Host(null, null, null, null));
        }
        return hosts;
    }

    private Handlers handlers(Section top) {
        Section section = top.section("handlers");
        if (section == null) {
            return new Handlers(null, null, null, List.of());
        }
        Integer http = section.number("http", 1, "it is how many requests run at once");
        Integer programs = section.number("programs", 1, "it is how many programs run at once");
        String files = section.text("files");
        Path folder = files == null ? null : resolve(files);
        if (folder != null && !Files.isDirectory(folder)) {
            section.complain(
                    "files", "\"" + files + "\" is no folder, looked at " + folder + ": make it, or correct the path");
        }
        List<String> classes = section.texts("classes");
        lines.put(RunFile.HANDLER_CLASSES, section.line("classes"));
        section.end();
        return new Handlers(http, programs, folder, classes);
    }

    private Map<String, Service> services(Section top, Map<String, Host> hosts) {
        Map<String, Section> sections = top.sections("services");
        if (sections.isEmpty()) {
            top.complain("services", "there are none: name at least one, as docs/guide/run.md shows");
        }
        var services = new LinkedHashMap<String, Service>();
        sections.forEach((name, section) -> {
            services.put(name, service(section, hosts, sections.keySet()));
            lines.put(name, section.line("process"));
        });
        return inOrder(services, sections);
    }

    private Service service(Section section, Map<String, Host> hosts, Set<String> services) {
        String process = section.required("process", "name a class that implements dev.treadle.Process");
        String method = section.text("method", "main");
        List<@Nullable Object> input = section.plainValues("input");
        String host = section.text("host");
        if (host != null) {
            checkKnown(section, "host", host, hosts.keySet(), "host");
        }
        String name = section.text("name");
        Restart restart = section.choice("restart", Restart.class);
        Duration shutdown = section.duration("shutdown");
        Section intensity = section.section("intensity");
        Integer restarts = null;
        Duration period = null;
        if (intensity != null) {
            restarts = intensity.number("restarts", 0, "it is how many restarts are allowed in the period");
            period = intensity.duration("period");
            intensity.end();
        }
        Section backoff = section.section("backoff");
        Duration first = null;
        Duration cap = null;
        if (backoff != null) {
            first = backoff.duration("first");
            cap = backoff.duration("cap");
            if (first == null) {
                section.complain("backoff", "has no \"first\": say how long the first wait is, such as 100ms");
            } else if (cap != null && cap.compareTo(first) < 0) {
                section.complain("backoff", "has a cap below the first wait: raise the cap");
            }
            backoff.end();
        }
        List<String> requires = section.texts("requires");
        for (String required : requires) {
            checkKnown(section, "requires", required, services, "service");
        }
        section.end();
        return new Service(
                process,
                method,
                input,
                host,
                name,
                restart == null ? Restart.PERMANENT : restart,
                shutdown,
                restarts == null ? SupervisorSpec.INTENSITY_DEFAULT : restarts,
                period == null ? SupervisorSpec.PERIOD_DEFAULT : period,
                first,
                first == null || cap != null ? cap : max(first, BACKOFF_CAP),
                requires);
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? b : a;
    }

    private static void checkKnown(Section section, String key, String name, Set<String> known, String what) {
        if (!known.contains(name)) {
            section.complain(
                    key,
                    "\"" + name + "\" is no " + what + " of this file, known are " + known
                            + Section.suggestion(name, List.copyOf(known)));
        }
    }

    /** Those that are required first. A circle is a problem. */
    private static Map<String, Service> inOrder(Map<String, Service> services, Map<String, Section> sections) {
        var ordered = new LinkedHashMap<String, Service>();
        var under = new LinkedHashSet<String>();
        for (String name : services.keySet()) {
            visit(name, services, sections, under, ordered);
        }
        return ordered;
    }

    private static void visit(
            String name,
            Map<String, Service> services,
            Map<String, Section> sections,
            Set<String> under,
            Map<String, Service> ordered) {
        Service service = services.get(name);
        if (service == null || ordered.containsKey(name)) {
            return; // one that is not known was complained of
        }
        if (!under.add(name)) {
            Objects.requireNonNull(sections.get(name))
                    .complain(
                            "requires",
                            "goes in a circle: " + String.join(" requires ", under) + " requires " + name
                                    + ": remove one of these");
            return;
        }
        service.requires().forEach(required -> visit(required, services, sections, under, ordered));
        under.remove(name);
        ordered.put(name, service);
    }
}
