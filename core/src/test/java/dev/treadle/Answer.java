// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What a handler answers to without a process: a future. */
class Answer implements ResultReceiver {
    final CompletableFuture<Object> future = new CompletableFuture<>();

    @Override
    public Pid pid() {
        throw new UnsupportedOperationException("there is no process");
    }

    @Override
    public long tag() {
        return 1;
    }

    @Override
    public Map<String, Object> attributes() {
        return Map.of();
    }

    @Override
    public boolean completeYield(long tag, Object data, Throwable error) {
        return error == null ? future.complete(data) : future.completeExceptionally(error);
    }

    @Override
    public void onCancel(Runnable action) {}

    @Override
    public boolean isCancelled() {
        return false;
    }
}
