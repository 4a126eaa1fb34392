// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import dev.treadle.ProcessExit;
import dev.treadle.Scheduler;
import dev.treadle.Signal;
import dev.treadle.Submission;
import dev.treadle.SubmissionRefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Links and monitors: who is told of whose end, and who ends with whom. */
final class Lifecycle {
    /** With more to tell than this, the telling is a process of its own, so that no worker is held up. */
    static final int TOLD_AT_ONCE_MAX = 1_000;

    private static final Rights ANNOUNCERS = Rights.all("treadle");

    private final Node node;
    private final AtomicLong refs = new AtomicLong(1);

    Lifecycle(Node node) {
        this.node = node;
    }

    // Monitors.

    Monitor newMonitor(Pid watcher, Pid target) {
        return new Monitor(refs.getAndIncrement(), watcher, target);
    }

    Monitor monitor(Pid watcher, Pid target) {
        Monitor monitor = newMonitor(watcher, target);
        if (!node.change(target, relations -> relations.monitors.put(monitor.ref(), monitor))) {
            tell(monitor, noSuchProcess(target));
        }
        return monitor;
    }

    void demonitor(Monitor monitor) {
        Objects.requireNonNull(monitor, "monitor is null: give what monitor() returned");
        monitor.end();
        node.changeIfPresent(monitor.target(), relations -> relations.monitors.remove(monitor.ref()));
    }

    private void tell(Monitor monitor, ProcessExit exit) {
        Signal signal = Signal.of(Signal.Kind.EXIT, exit, monitor.ref());
        if (monitor.tell(signal)) {
            node.signal(monitor.watcher(), signal);
        }
    }

    // Links.

    /*
     * A link is an entry on either side. Whoever takes an entry out because the other side has ended, and nobody else,
     * lets the process know. So an end is told once, and not at all after unlink. link() enters both sides; if one of them
     * ended meanwhile without having seen the entry of the other, link() itself takes that out.
     */

    void link(Pid a, Pid b) {
        if (a.equals(b)) {
            return;
        }
        if (!node.change(a, relations -> relations.links.add(b))) {
            down(b, noSuchProcess(a), node.traps(b));
            return;
        }
        if (!node.change(b, relations -> relations.links.add(a))) {
            linkDown(a, noSuchProcess(b));
            return;
        }
        var holds = new boolean[1];
        node.changeIfPresent(a, relations -> holds[0] = relations.links.contains(b));
        if (!holds[0]) {
            if (node.find(a).isEmpty()) {
                linkDown(b, noSuchProcess(a));
            } else {
                node.changeIfPresent(b, relations -> relations.links.remove(a)); // unlinked meanwhile
            }
        }
    }

    void unlink(Pid a, Pid b) {
        node.changeIfPresent(a, relations -> relations.links.remove(b));
        node.changeIfPresent(b, relations -> relations.links.remove(a));
    }

    boolean trapExits(Pid pid, boolean traps) {
        return node.change(pid, relations -> relations.traps = traps);
    }

    /** A process that was linked to one that has ended: ends too, is told, or goes on. Nothing if it is not linked now. */
    void linkDown(Pid pid, ProcessExit exit) {
        var linked = new boolean[1];
        var traps = new boolean[1];
        node.changeIfPresent(pid, relations -> {
            boolean was = relations.links.remove(exit.pid());
            linked[0] = was && !relations.starting;
            traps[0] = relations.traps;
            if (was && relations.starting && !exit.isDone()) {
                relations.missed = exit;
            }
        });
        if (linked[0]) {
            down(pid, exit, traps[0]);
        }
    }

    /** A process that had begun has started: it gets what could not be told to it before. */
    void started(Host host, Pid pid) {
        RelationTable.Missed missed = host.relations().started(pid);
        if (missed.exit() != null) {
            down(pid, missed.exit(), node.traps(pid));
        }
        if (missed.upgrade() != null) {
            node.upgrades().order(pid, missed.upgrade());
        }
    }

    private void down(Pid pid, ProcessExit exit, boolean traps) {
        if (exit.isDone()) {
            return;
        }
        if (traps) {
            node.signal(pid, Signal.of(Signal.Kind.LINK_DOWN, exit, 0));
        } else {
            node.terminate(pid, "linked: " + exit);
        }
    }

    // The end.

    /** A worker of the host: a process that had relations has ended. */
    void ended(Host host, ProcessExit exit, Relations relations) {
        node.names().release(exit.pid(), relations.names);
        node.groups().leaveAll(exit.pid(), relations);
        List<Runnable> notices = new ArrayList<>(relations.links.size() + relations.monitors.size());
        relations.links.forEach(link -> notices.add(() -> linkDown(link, exit)));
        relations.monitors.values().forEach(monitor -> notices.add(() -> tell(monitor, exit)));
        if (notices.size() <= TOLD_AT_ONCE_MAX || !tellInTurns(host.schedulerOrNull(), notices)) {
            notices.forEach(Runnable::run);
        }
    }

    private static boolean tellInTurns(@Nullable Scheduler scheduler, List<Runnable> notices) {
        if (scheduler == null) {
            return false;
        }
        try {
            scheduler.submit(Submission.of(new Announcer(notices), "main").attribute(Rights.ATTRIBUTE, ANNOUNCERS));
            return true;
        } catch (SubmissionRefusedException e) {
            return false; // it shuts down, or is full
        }
    }

    static ProcessExit noSuchProcess(Pid pid) {
        return new ProcessExit(pid, ProcessExit.Kind.TERMINATED, null, new NoSuchProcessException(pid));
    }
}
