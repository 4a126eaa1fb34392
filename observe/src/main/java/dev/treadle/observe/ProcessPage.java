// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.Pid;
import dev.treadle.ProcessInfo;
import dev.treadle.node.Node;
import dev.treadle.node.ProcessRelations;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes processes: a page of the table, and all that is known of one. Any thread. */
final class ProcessPage {
    /** How many children, links and monitors of a process are shown. */
    static final int RELATIVES_MAX = 100;

    private final Subject subject;
    private final ProcessPages pages;
    private final @Nullable Incidents incidents;
    private final @Nullable Tracer tracer;

    ProcessPage(Subject subject, ProcessPages pages, @Nullable Incidents incidents, @Nullable Tracer tracer) {
        this.subject = subject;
        this.pages = pages;
        this.incidents = incidents;
        this.tracer = tracer;
    }

    String table(ProcessQuery query) {
        Paced.Known<ProcessPages.Page> found = pages.find(query);
        return JsonWriter.object(json -> json.field("matching", found.value().matching())
                .field("offset", query.offset())
                .field("limit", query.limit())
                .field("depthMax", ProcessQuery.DEPTH_MAX)
                .field("tookMillis", found.tookNanos() / 1e6)
                .field("refreshMillis", found.lifetime().toMillis())
                .objects("processes", found.value().rows(), this::writeRow));
    }

    private void writeRow(JsonWriter json, ProcessInfo process) {
        writeFigures(json, process);
        Node node = subject.node();
        if (node != null) {
            json.field("names", sorted(node.relations(process.pid()).names(), 3));
        }
    }

    private static void writeFigures(JsonWriter json, ProcessInfo process) {
        json.field("pid", process.pid().toString())
                .field("state", process.state().name())
                .field("type", process.type())
                .field("method", Text.shortened(process.method()))
                .field(
                        "parent",
                        process.parent() == null ? null : process.parent().toString())
                .field("steps", process.steps())
                .field("queue", process.queueLength())
                .field("yields", process.yieldsInFlight())
                .field("ageMillis", process.age().toMillis())
                .field("worker", process.worker());
    }

    /** Returns all that is known of a process, which may have ended. */
    String one(Pid pid) {
        Optional<ProcessInfo> info = subject.inspect(pid);
        return JsonWriter.object(json -> {
            json.field("pid", pid.toString()).field("alive", info.isPresent());
            info.ifPresent(process -> {
                json.field("process", each -> writeFigures(each, process));
                json.field(
                        "attributes",
                        each -> new TreeMap<>(process.attributes())
                                .forEach((name, value) -> each.field(Text.shortened(name), Text.describe(value))));
                writeChildren(json, process.pid());
            });
            Node node = subject.node();
            if (node != null) {
                writeRelations(json, node.relations(pid));
            }
            writeTrace(json, pid);
            writeIncidents(json, pid);
        });
    }

    private void writeChildren(JsonWriter json, Pid pid) {
        Paced.Known<ProcessPages.Page> children = pages.find(ProcessQuery.childrenOf(pid, RELATIVES_MAX));
        json.field("childCount", children.value().matching())
                .field("refreshMillis", children.lifetime().toMillis())
                .objects("children", children.value().rows(), ProcessPage::writeFigures);
    }

    private static void writeRelations(JsonWriter json, ProcessRelations relations) {
        json.field("names", sorted(relations.names(), RELATIVES_MAX))
                .field("groups", sorted(relations.groups(), RELATIVES_MAX))
                .field("linkCount", relations.links().size())
                .field("links", pids(relations.links()))
                .field("monitorCount", relations.monitors().size())
                .field(
                        "monitors",
                        pids(relations.monitors().stream()
                                .map(monitor -> monitor.watcher())
                                .toList()))
                .field("trapsExits", relations.trapsExits());
    }

    private void writeTrace(JsonWriter json, Pid pid) {
        List<Tracer.Seen> events = tracer == null ? null : tracer.events(pid);
        json.field("traced", events != null);
        if (events != null) {
            json.objects(
                    "events",
                    events,
                    (each, event) -> each.field("time", event.time().toEpochMilli())
                            .field("what", event.what())
                            .field("detail", event.detail()));
        }
    }

    private void writeIncidents(JsonWriter json, Pid pid) {
        if (incidents != null) {
            json.objects("slowSteps", of(pid, incidents.slowSteps()), Overview::writeIncident)
                    .objects("failures", of(pid, incidents.failures()), Overview::writeIncident)
                    .objects("deadLetters", of(pid, incidents.deadLetters()), Overview::writeIncident);
        }
    }

    private static List<Incident> of(Pid pid, List<Incident> all) {
        return all.stream().filter(incident -> incident.pid().equals(pid)).toList();
    }

    private static List<String> sorted(Collection<String> texts, int most) {
        return texts.stream().sorted().limit(most).map(Text::shortened).toList();
    }

    private static List<String> pids(Collection<Pid> pids) {
        return pids.stream().sorted().limit(RELATIVES_MAX).map(Pid::toString).toList();
    }
}
