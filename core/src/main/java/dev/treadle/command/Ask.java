// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.command;

import dev.treadle.Command;
import dev.treadle.Pid;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sends a message to another process, and completes with its reply.
 *
 * <pre>{@code
 * out.yield(new Ask(account, "balance", null), 1, Duration.ofSeconds(2));
 * }</pre>
 *
 * <p>The other one gets a {@link dev.treadle.Message} that {@linkplain dev.treadle.Message#isRequest() is a request}, and
 * answers it with {@link dev.treadle.ProcessContext#reply} or {@link dev.treadle.ProcessContext#replyError}, in that step or
 * later. If it cannot be delivered, or the other one ends without a reply, the completion has an {@link
 * dev.treadle.AskFailedException} at once. Give it a timeout: the other one may live and never reply.
 *
 * @param target who is asked
 * @param topic what it is about
 * @param payload the content, or null; must not be modified afterwards
 */
public record Ask(Pid target, String topic, @Nullable Object payload) implements Command {
    /** Checks that target and topic are there. */
    public Ask {
        Objects.requireNonNull(target, "target is null: give the Pid of the process to ask");
        Objects.requireNonNull(topic, "topic is null: name what the request is about, or use an empty string");
    }
}
