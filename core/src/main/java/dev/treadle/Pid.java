// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The address of a process, never used for another one. Its text is <code>{host|id}</code>, or
 * <code>{node@host|id}</code> for a process of another node; {@link #parse} reads what {@link #toString} writes.
 *
 * <p>Immutable, safe to share and to keep after the process has ended: a message sent to it then becomes a dead letter.
 */
public final class Pid implements Comparable<Pid> {
    /** How long the name of a host or a node may be. */
    public static final int NAME_LENGTH_MAX = 64;

    private static final int TEXT_SHOWN_MAX = 200;

    private final @Nullable String node;
    private final String host;
    private final long id;

    /**
     * The process itself where the Pid was made by its scheduler: a send then needs no look-up. A cell lets go of all
     * that a process had when it ends, so a Pid that is kept keeps no more than the empty cell.
     */
    private final @Nullable ProcessCell cell;

    private Pid(@Nullable String node, String host, long id, @Nullable ProcessCell cell) {
        this.node = node;
        this.host = host;
        this.id = id;
        this.cell = cell;
    }

    /**
     * Returns the address of a process of this node.
     *
     * @throws IllegalArgumentException if the host is not a name, or the id is not positive
     */
    public static Pid of(String host, long id) {
        return new Pid(null, checkName("host", host), checkId(id), null);
    }

    /**
     * Returns the address of a process of a node.
     *
     * @throws IllegalArgumentException if the node or the host is not a name, or the id is not positive
     */
    public static Pid of(String node, String host, long id) {
        return new Pid(checkName("node", node), checkName("host", host), checkId(id), null);
    }

    /** Returns the address of a cell; the names were checked when its scheduler was built. */
    static Pid ofCell(@Nullable String node, String host, long id, ProcessCell cell) {
        return new Pid(node, host, id, cell);
    }

    /**
     * Reads an address.
     *
     * @param text <code>{host|id}</code> or <code>{node@host|id}</code>
     * @throws IllegalArgumentException if it is anything else; the message shows the text and says what is wrong
     */
    public static Pid parse(String text) {
        Objects.requireNonNull(text, "text is null: give a pid such as {main|42}");
        int bar = text.lastIndexOf('|');
        if (!text.startsWith("{") || !text.endsWith("}") || bar < 0) {
            throw unreadable(text, "it must look like {host|id} or {node@host|id}");
        }
        int at = text.indexOf('@');
        if (at > bar) {
            throw unreadable(text, "the @ stands between node and host");
        }
        String node = at < 0 ? null : text.substring(1, at);
        String host = text.substring(Math.max(at, 0) + 1, bar);
        long id = parseId(text, text.substring(bar + 1, text.length() - 1));
        try {
            return node == null ? of(host, id) : of(node, host, id);
        } catch (IllegalArgumentException e) {
            throw unreadable(text, e.getMessage());
        }
    }

    private static long parseId(String text, String digits) {
        boolean canonical = !digits.isEmpty() && digits.charAt(0) != '0';
        for (int i = 0; i < digits.length(); i++) {
            canonical &= digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
        }
        if (!canonical) {
            throw unreadable(text, "the id must be a positive number in plain digits");
        }
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw unreadable(text, "the id must be at most " + Long.MAX_VALUE);
        }
    }

    private static IllegalArgumentException unreadable(String text, @Nullable String rule) {
        String shown = text.length() <= TEXT_SHOWN_MAX ? text : text.substring(0, TEXT_SHOWN_MAX) + "…";
        return new IllegalArgumentException(
                "pid was \"" + shown + "\", " + rule + ": pass a text that Pid.toString() wrote, such as {main|42}");
    }

    static String checkName(String what, String name) {
        Objects.requireNonNull(name, what + " is null: give it a name such as \"main\"");
        if (name.isEmpty() || name.length() > NAME_LENGTH_MAX || !name.chars().allMatch(Pid::isNameChar)) {
            String shown = name.length() <= NAME_LENGTH_MAX ? name : name.substring(0, NAME_LENGTH_MAX) + "…";
            throw new IllegalArgumentException(what + " was \"" + shown + "\", must be 1 to " + NAME_LENGTH_MAX
                    + " of the characters a-z A-Z 0-9 . _ -: rename it");
        }
        return name;
    }

    private static boolean isNameChar(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '.'
                || c == '_'
                || c == '-';
    }

    private static long checkId(long id) {
        if (id <= 0) {
            throw new IllegalArgumentException("id was " + id + ", must be positive: ids count from 1");
        }
        return id;
    }

    /** Returns the node, or null for the node that we are on. */
    public @Nullable String node() {
        return node;
    }

    /** Returns the name of the scheduler that runs the process. */
    public String host() {
        return host;
    }

    /** Returns the number of the process on its host. */
    public long id() {
        return id;
    }

    @Nullable
    ProcessCell cell() {
        return cell;
    }

    @Override
    public int compareTo(Pid that) {
        int byNode = (node == null ? "" : node).compareTo(that.node == null ? "" : that.node);
        int byHost = byNode != 0 ? byNode : host.compareTo(that.host);
        return byHost != 0 ? byHost : Long.compare(id, that.id);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof Pid that
                        && id == that.id
                        && host.equals(that.host)
                        && Objects.equals(node, that.node));
    }

    @Override
    public int hashCode() {
        return Long.hashCode(id) * 31 + host.hashCode();
    }

    @Override
    public String toString() {
        return "{" + (node == null ? "" : node + "@") + host + "|" + id + "}";
    }
}
