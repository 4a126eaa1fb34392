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

/** Does the work of {@link HttpExchange}: sends at most so many requests at once. */
final class HttpCalls implements Handler<HttpExchange> {
    private final HttpClient client;
    private final Admission<Call> admission;
    private final int bodyMax;
    private final Duration timeout;

    HttpCalls(HttpClient client, Admission<Call> admission, int bodyMax, Duration timeout) {
        this.client = client;
        this.admission = admission;
        this.bodyMax = bodyMax;
        this.timeout = timeout;
    }

    @Override
    public void handle(HttpExchange exchange, ResultReceiver receiver) {
        var call = new Call(exchange, receiver);
        Admission.Entry entry = admission.enter(call);
        if (entry == Admission.Entry.REFUSED) {
            receiver.fail(admission.overload(exchange));
            return;
        }
        receiver.onCancel(call::cancel); // after it has entered: a call that waits can be withdrawn
        if (entry == Admission.Entry.RUN) {
            runCalls(call);
        }
    }

    /** Whoever holds a slot. A loop, so that many exchanges in a row that end on the spot need no deep stack. */
    private void runCalls(@Nullable Call first) {
        for (Call call = first; call != null; call = admission.next()) {
            if (call.begin()) {
                return; // its end comes back here with the slot
            }
        }
    }

    private HttpResponse.BodySubscriber<Bytes> body(HttpResponse.ResponseInfo info) {
        long announced = info.headers().firstValueAsLong("Content-Length").orElse(0);
        return new LimitedBody(announced > bodyMax ? 0 : bodyMax); // hopeless: give up at the first byte
    }

    /** One exchange. */
    final class Call {
        private final HttpExchange exchange;
        private final ResultReceiver receiver;

        /** Set when the exchange has begun; volatile, as whoever cancels reads it. */
        private volatile @Nullable CompletableFuture<HttpResponse<Bytes>> reply;

        private volatile boolean cancelled;

        Call(HttpExchange exchange, ResultReceiver receiver) {
            this.exchange = exchange;
            this.receiver = receiver;
        }

        /** Sends the request. Returns false if it has ended already; then the caller still has the slot. */
        boolean begin() {
            if (cancelled) {
                receiver.fail(cancellation());
                return false;
            }
            CompletableFuture<HttpResponse<Bytes>> reply;
            try {
                reply = client.sendAsync(exchange.request(), HttpCalls.this::body);
            } catch (Throwable thrown) {
                receiver.fail(failure(thrown));
                return false;
            }
            this.reply = reply;
            if (cancelled) {
                reply.cancel(true); // cancel() did not see it
            }
            if (reply.isDone()) {
                var answered = reply.whenComplete(this::answer);
                return false;
            }
            Alarm alarm = Alarm.after(limit(), () -> timeOut(reply));
            var answered = reply.whenComplete((response, error) -> {
                alarm.cancel();
                answer(response, error);
                runCalls(admission.next());
            });
            return true;
        }

        private Duration limit() {
            Duration own = exchange.timeout();
            return own == null ? timeout : own;
        }

        /** The alarm's thread. The client's own timeout would end with the headers of the reply, this one with its body. */
        private void timeOut(CompletableFuture<?> reply) {
            receiver.fail(new HttpFailedException(
                    HttpFailedException.Reason.TIMEOUT,
                    exchange + " had no whole reply within " + limit()
                            + ", its timeout: allow it more time, or ask the server why it is slow",
                    null));
            reply.cancel(true);
        }

        /** Any thread: nobody wants the answer any more. */
        void cancel() {
            cancelled = true;
            CompletableFuture<?> reply = this.reply;
            if (reply != null) {
                reply.cancel(true);
            } else if (admission.withdraw(this)) {
                receiver.fail(cancellation());
            }
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
