// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The supervisors of a node and their children, at a moment: see {@link Node#tree}. Each entry is true of a moment; not all of
 * the same one. Prints as indented text.
 *
 * @param node the name of the node
 * @param supervisors those that have no supervisor themselves
 */
public record SupervisionTree(String node, List<Entry> supervisors) {
    /** Copies the list. */
    public SupervisionTree {
        supervisors = List.copyOf(supervisors);
    }

    @Override
    public String toString() {
        var text = new StringBuilder("node \"").append(node).append('"');
        supervisors.forEach(supervisor -> supervisor.appendTo(text, 1));
        return text.toString();
    }

    /** What a child is doing, as its supervisor knows. */
    public enum State {
        /** It will be started: when it is its turn, or after a backoff. */
        WAITING,
        /** It is a supervisor whose children are being started. */
        STARTING,
        /** It has been started, and has not ended. */
        RUNNING,
        /**
         * It was asked to end, what it left behind is about to end, it did not start and its supervisor is about to decide what
         * follows, or its supervisor is stopping.
         */
        STOPPING,
        /** It has ended, and is not started again unless somebody asks for it. */
        STOPPED
    }

    /**
     * A supervisor, or a child of one.
     *
     * @param id what tells it from the other children of its supervisor; "supervisor" if it has none
     * @param pid its address, or null if it is not alive
     * @param state what it is doing
     * @param restarts how often it was started again by the rules; of a supervisor at the top, always 0
     * @param supervisor what a supervisor has to say of itself, or null if it is none or not alive
     * @param children its children in order; empty if it is no supervisor
     */
    public record Entry(
            String id,
            @Nullable Pid pid,
            State state,
            long restarts,
            @Nullable Supervision supervisor,
            List<Entry> children) {
        /** Copies the list. */
        public Entry {
            children = List.copyOf(children);
        }

        private void appendTo(StringBuilder text, int depth) {
            text.append(System.lineSeparator()).append("  ".repeat(depth)).append(id);
            if (pid != null) {
                text.append(' ').append(pid);
            }
            text.append(' ').append(state.name().toLowerCase(Locale.ROOT));
            if (restarts > 0) {
                text.append(", restarted ").append(times(restarts));
            }
            if (supervisor != null) {
                text.append(": ").append(supervisor);
            }
            children.forEach(child -> child.appendTo(text, depth + 1));
        }

        @Override
        public String toString() {
            var text = new StringBuilder();
            appendTo(text, 0);
            return text.toString().strip();
        }
    }

    /**
     * What a supervisor has to say of itself.
     *
     * @param strategy who else it starts again
     * @param restarts how many restarts it has counted in its life; those of one-for-all count as one, and so does an attempt
     */
    public record Supervision(SupervisorStrategy strategy, long restarts) {
        @Override
        public String toString() {
            return strategy + ", has restarted " + times(restarts);
        }
    }

    private static String times(long times) {
        return times == 1 ? "once" : times + " times";
    }
}
