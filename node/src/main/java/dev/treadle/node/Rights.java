// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

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
 */
public final class Rights {
    /** The name of the attribute that holds the rights of a process. */
    public static final String ATTRIBUTE = "treadle.rights";

    private final String identity;
    private final List<Rule> rules;

    private Rights(String identity, List<Rule> rules) {
        this.identity = identity;
        this.rules = rules;
    }

    /** Returns rights that allow nothing yet. */
    public static Rights of(String identity) {
        return new Rights(Objects.requireNonNull(identity, "identity is null: say who it is"), List.of());
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
        return new Rights(identity, List.copyOf(more));
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
        return allowed;
    }

    @Override
    public String toString() {
        return "Rights[" + identity + ", " + rules + "]";
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
