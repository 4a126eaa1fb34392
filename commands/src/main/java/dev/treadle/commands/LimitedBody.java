// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Collects the body of a reply, and gives up as soon as it is larger than allowed: no more is read or kept. */
final class LimitedBody implements HttpResponse.BodySubscriber<Bytes> {
    private final int sizeMax;
    private final CompletableFuture<Bytes> body = new CompletableFuture<>();
    private final List<ByteBuffer> parts = new ArrayList<>();
    private int size;
    private Flow.@Nullable Subscription subscription;

    LimitedBody(int sizeMax) {
        this.sizeMax = sizeMax;
    }

    /** Thrown into the exchange; the handler makes of it what the process reads. */
    static final class TooLarge extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooLarge() {
            super("the body is larger than allowed", null, false, false);
        }
    }

    @Override
    public CompletionStage<Bytes> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        if (this.subscription != null) {
            subscription.cancel();
            return;
        }
        this.subscription = subscription;
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        if (body.isDone()) {
            return;
        }
        for (ByteBuffer buffer : buffers) {
            if (buffer.remaining() > sizeMax - size) {
                parts.clear();
                if (subscription != null) {
                    subscription.cancel();
                }
                body.completeExceptionally(new TooLarge());
                return;
            }
            size += buffer.remaining();
            parts.add(buffer);
        }
    }

    @Override
    public void onError(Throwable thrown) {
        parts.clear();
        body.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
        byte[] whole = new byte[size];
        int at = 0;
        for (ByteBuffer part : parts) {
            int length = part.remaining();
            part.get(whole, at, length);
            at += length;
        }
        parts.clear();
        body.complete(Bytes.own(whole));
    }
}
