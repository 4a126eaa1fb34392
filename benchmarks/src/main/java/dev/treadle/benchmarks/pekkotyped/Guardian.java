// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.pekkotyped;

import dev.treadle.benchmarks.pekko.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** An actor system whose guardian does what it is sent: typed actors can be started by actors only. */
final class Guardian {
    private final ActorSystem<Consumer<ActorContext<?>>> system;

    Guardian(int workers) {
        system = ActorSystem.create(
                Behaviors.receive((context, action) -> {
                    action.accept(context);
                    return Behaviors.same();
                }),
                "benchmark",
                Settings.with(workers));
    }

    /** Lets the guardian do that, soon. */
    void tell(Consumer<ActorContext<?>> action) {
        system.tell(action);
    }

    /** Lets the guardian do that, and returns what it gives. */
    <T> T ask(Function<ActorContext<?>, T> action) {
        var answer = new CompletableFuture<T>();
        system.tell(context -> {
            try {
                answer.complete(action.apply(context));
            } catch (Throwable thrown) {
                answer.completeExceptionally(thrown);
            }
        });
        return answer.join();
    }

    /** Starts so many actors. */
    <M> List<ActorRef<M>> start(int count, IntFunction<Behavior<M>> behavior) {
        return ask(context -> {
            var refs = new ArrayList<ActorRef<M>>(count);
            for (int i = 0; i < count; i++) {
                refs.add(context.spawnAnonymous(behavior.apply(i)));
            }
            return refs;
        });
    }

    /** Starts an actor. */
    <M> ActorRef<M> start(Behavior<M> behavior) {
        return start(1, i -> behavior).get(0);
    }

    void close() {
        system.terminate();
        system.getWhenTerminated()
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }
}
