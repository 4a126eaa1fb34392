// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.BoundingAttribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who a process acts for, and what it may do. They are an {@linkplain #ATTRIBUTE attribute}, so they go along with every
 * spawn, message and command.
 *
 * <pre>{@code
 * Rights.of("guest")
 *         .allow(Permission.SEND, "users")
 *         .allow(Permission.RUN, "dev.treadle.command.*")
 *         .deny(Permission.RUN, "dev.treadle.command.Exec");
 * }</pre>
 *
 * <p>A rule that denies wins over all that allow. What no rule matches is denied. Immutable.
 *
 * <p>Rights hold for what a process does through its {@code ProcessContext}, its {@link NodeContext} and its commands.
 * {@link Node} itself is for code that is trusted: it acts for nobody, and is not asked.
 */
public final class Rights implements BoundingAttribute {
    /** The name of the attribute that holds the rights of a process. */
    public static final String ATTRIBUTE = "treadle.rights";

    private final String identity;
    private final List<Rule> rules;

    /** Rights that must allow it too, or null. */
    private final @Nullable Rights within;

    private Rights(String identity, List<Rule> rules, @Nullable Rights within) {
        this.identity = identity;
        this.rules = rules;
        this.within = within;
    }

    /** Returns rights that allow nothing yet. */
    public static Rights of(String identity) {
        return new Rights(Objects.requireNonNull(identity, "identity is null: say who it is"), List.of(), null);
    }

    /** Returns rights that allow everything. */
    public static Rights all(String identity) {
        Rights rights = of(identity);
        for (Permission permission : Permission.values()) {
            rights = rights.allow(permission, "*");
        }
        return rights;
    }

    /**
     * Returns these rights, and this one.
     *
     * @param object the name that it is about; one that ends in {@code *} matches all that begin so
     */
    public Rights allow(Permission permission, String object) {
        return with(new Rule(permission, object, true));
    }

    /** Returns these rights, without this one, whatever else allows it. */
    public Rights deny(Permission permission, String object) {
        return with(new Rule(permission, object, false));
    }

    private Rights with(Rule rule) {
        var more = new ArrayList<>(rules);
        more.add(rule);
        return new Rights(identity, List.copyOf(more), within);
    }

    /** Returns these rights, as far as others allow it too. */
    public Rights within(Rights others) {
        Objects.requireNonNull(others, "others is null: give the rights that bound these");
        Rights bounded = this;
        for (Rights layer = others; layer != null; layer = layer.within) {
            bounded = bounded.and(layer);
        }
        return bounded;
    }

    /** Adds a layer unless it is there: two processes that send to each other for long must not pile them up. */
    private Rights and(Rights layer) {
        if (identity.equals(layer.identity) && rules.equals(layer.rules)) {
            return this;
        }
        Rights bound = within == null ? new Rights(layer.identity, layer.rules, null) : within.and(layer);
        return bound.equals(within) ? this : new Rights(identity, rules, bound);
    }

    /**
     * What is laid over rights can only narrow them: a process that spawns cannot give its child more than it has, and one
     * that handles a message does so with the rights that it shares with the sender.
     */
    @Override
    public Object bound(Object over) {
        return over instanceof Rights rights ? rights.within(this) : this;
    }

    /** Returns who it is. */
    public String identity() {
        return identity;
    }

    /** Returns whether something is allowed. */
    public boolean allows(Permission permission, String object) {
        boolean allowed = false;
        for (Rule rule : rules) {
            if (rule.matches(permission, object)) {
                if (!rule.allows) {
                    return false;
                }
                allowed = true;
            }
        }
        return allowed && (within == null || within.allows(permission, object));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Rights that
                && identity.equals(that.identity)
                && rules.equals(that.rules)
                && Objects.equals(within, that.within);
    }

    @Override
    public int hashCode() {
        return Objects.hash(identity, rules, within);
    }

    @Override
    public String toString() {
        return "Rights[" + identity + ", " + rules + (within == null ? "" : " within " + within) + "]";
    }

    private record Rule(Permission permission, String object, boolean allows) {
        Rule {
            Objects.requireNonNull(permission, "permission is null: give what the rule is about");
            Objects.requireNonNull(object, "object is null: give a name, or \"*\" for all");
        }

        boolean matches(Permission permission, String object) {
            if (this.permission != permission) {
                return false;
            }
            return this.object.endsWith("*")
                    ? object.startsWith(this.object.substring(0, this.object.length() - 1))
                    : object.equals(this.object);
        }

        @Override
        public String toString() {
            return (allows ? "allow " : "deny ") + permission + " " + object;
        }
    }
}
