// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.Handler;
import dev.treadle.ResultReceiver;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Does the work of {@link HttpExchange}. Answers when an exchange is over, so that its place is free then. */
final class HttpCalls implements Handler<HttpExchange> {
    private final HttpClient client;
    private final int bodyMax;
    private final Duration timeout;

    HttpCalls(HttpClient client, int bodyMax, Duration timeout) {
        this.client = client;
        this.bodyMax = bodyMax;
        this.timeout = timeout;
    }

    @Override
    public void handle(HttpExchange exchange, ResultReceiver receiver) {
        new Call(exchange, receiver).begin();
    }

    private HttpResponse.BodySubscriber<Bytes> body(HttpResponse.ResponseInfo info) {
        long announced = info.headers().firstValueAsLong("Content-Length").orElse(0);
        return new LimitedBody(announced > bodyMax ? 0 : bodyMax); // hopeless: give up at the first byte
    }

    /** One exchange. */
    private final class Call {
        private final HttpExchange exchange;
        private final ResultReceiver receiver;

        /** Set by whoever ends the exchange before its reply is there. */
        private volatile boolean cancelled;

        private volatile boolean timedOut;

        Call(HttpExchange exchange, ResultReceiver receiver) {
            this.exchange = exchange;
            this.receiver = receiver;
        }

        void begin() {
            CompletableFuture<HttpResponse<Bytes>> reply;
            try {
                reply = client.sendAsync(exchange.request(), HttpCalls.this::body);
            } catch (Throwable thrown) {
                receiver.fail(failure(thrown));
                return;
            }
            receiver.onCancel(() -> {
                cancelled = true;
                reply.cancel(true);
            });
            if (reply.isDone()) {
                var answered = reply.whenComplete(this::answer);
                return;
            }
            Alarm alarm = Alarm.after(limit(), () -> {
                timedOut = true;
                reply.cancel(true); // closes the connection, then answers
            });
            var answered = reply.whenComplete((response, error) -> {
                alarm.cancel();
                answer(response, error);
            });
        }

        private Duration limit() {
            Duration own = exchange.timeout();
            return own == null ? timeout : own;
        }

        /** The client's own timeout would end with the headers of the reply, this one ends with its body. */
        private HttpFailedException timeOut() {
            return new HttpFailedException(
                    HttpFailedException.Reason.TIMEOUT,
                    exchange + " had no whole reply within " + limit()
                            + ", its timeout: allow it more time, or ask the server why it is slow",
                    null);
        }

        private CancellationException cancellation() {
            return new CancellationException(exchange + " was cancelled: nobody wants the answer any more");
        }

        private void answer(@Nullable HttpResponse<Bytes> response, @Nullable Throwable error) {
            if (response != null) {
                receiver.complete(
                        new HttpReply(response.statusCode(), response.headers(), response.body(), response.uri()));
            } else if (error != null) {
                receiver.fail(failure(error));
            }
        }

        private Throwable failure(Throwable thrown) {
            Throwable error =
                    thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
            if (timedOut && !cancelled) {
                return timeOut();
            }
            if (cancelled || error instanceof CancellationException) {
                return cancellation();
            }
            if (isTooLarge(error)) {
                return new HttpFailedException(
                        HttpFailedException.Reason.TOO_LARGE,
                        exchange + " was given up, the body of the reply has more than " + bodyMax
                                + " bytes, which is bodyMax: raise it where the handlers are registered, or ask for less",
                        null);
            }
            if (error instanceof ConnectException || error instanceof HttpConnectTimeoutException) {
                return new HttpFailedException(
                        HttpFailedException.Reason.NOT_CONNECTED,
                        exchange
                                + " found no server that takes the connection: check the address, and whether the server runs",
                        error);
            }
            if (error instanceof IOException) {
                return new HttpFailedException(
                        HttpFailedException.Reason.BROKEN,
                        exchange + " got no whole reply (" + error.getMessage()
                                + "), a reply must be HTTP and complete: repeat it if that is safe, or look at the server",
                        error);
            }
            return error;
        }

        /** The client wraps what a body subscriber fails with, some versions more than once. */
        private static boolean isTooLarge(Throwable error) {
            for (Throwable cause = error; cause != null; cause = cause.getCause()) {
                if (cause instanceof LimitedBody.TooLarge) {
                    return true;
                }
            }
            return false;
        }
    }
}
