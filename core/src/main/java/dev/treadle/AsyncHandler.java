// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Answers a command as the stage that a function returned completes. */
final class AsyncHandler<C extends Command> implements Handler<C> {
    private final CommandRegistry.AsyncFunction<? super C> function;

    AsyncHandler(CommandRegistry.AsyncFunction<? super C> function) {
        this.function = function;
    }

    @Override
    public void handle(C command, ResultReceiver receiver) throws Exception {
        CompletionStage<?> stage = function.start(command);
        if (stage == null) {
            throw new IllegalStateException(
                    "the function registered for " + command.getClass().getTypeName()
                            + " returned null, must return a CompletionStage: return a completed future if there is no work");
        }
        receiver.onCancel(() -> stage.toCompletableFuture().cancel(true));
        answerWith(stage, receiver);
    }

    /** Answers a command as a stage completes. */
    static void answerWith(CompletionStage<?> stage, ResultReceiver receiver) {
        stage.whenComplete((data, error) -> answer(receiver, data, error));
    }

    private static void answer(ResultReceiver receiver, @Nullable Object data, @Nullable Throwable error) {
        if (error == null) {
            receiver.complete(data);
        } else {
            Throwable cause = error instanceof CompletionException ? error.getCause() : null;
            receiver.fail(cause == null ? error : cause);
        }
    }
}
