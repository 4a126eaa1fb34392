// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.ResultReceiver;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Applies the {@link Rights} that processes carry. One that carries none may do all, or nothing: the node decides. */
final class RightsCheck {
    private final boolean required;

    RightsCheck(boolean required) {
        this.required = required;
    }

    /** Why something is refused, or null. */
    @Nullable
    String problem(Map<String, Object> attributes, Permission permission, String object) {
        Object rights = attributes.get(Rights.ATTRIBUTE);
        if (rights instanceof Rights known) {
            return known.allows(permission, object)
                    ? null
                    : "\"" + known.identity() + "\" may not " + permission + " \"" + object
                            + "\": allow it in its Rights, and see that no rule denies it";
        }
        return required
                ? "nobody may " + permission + " \"" + object
                        + "\" without rights on this node: set the attribute Rights.ATTRIBUTE at spawn"
                : null;
    }

    void check(Map<String, Object> attributes, Permission permission, String object) {
        String problem = problem(attributes, permission, object);
        if (problem != null) {
            throw new NotAllowedException(problem);
        }
    }

    @Nullable
    Exception refusal(ResultReceiver receiver, Permission permission, String object) {
        String problem = problem(receiver.attributes(), permission, object);
        return problem == null ? null : new NotAllowedException(problem);
    }
}
