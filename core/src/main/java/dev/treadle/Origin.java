// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where a message comes from, if there is more to say than which process sent it. */
interface Origin {
    /** The sender, or null if the message comes from outside. */
    @Nullable
    Pid pid();

    /** What goes along with the message. */
    Map<String, Object> attributes();

    /**
     * A sender, and attributes that are not the sender's own.
     *
     * @param from null, a {@link ProcessCell} of this scheduler, or the {@link Pid} of a process elsewhere
     */
    record Carrying(@Nullable Object from, Map<String, Object> attributes) implements Origin {
        @Override
        public @Nullable Pid pid() {
            return from instanceof ProcessCell cell ? cell.self() : (Pid) from;
        }
    }
}
