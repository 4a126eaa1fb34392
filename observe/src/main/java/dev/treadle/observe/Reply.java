// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

/**
 * What a client gets.
 *
 * @param status the status code of HTTP
 * @param type what the body is
 * @param body what it reads
 */
record Reply(int status, String type, String body) {
    static final int OK = 200;
    static final int BAD_REQUEST = 400;
    static final int UNAUTHORIZED = 401;
    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;
    static final int METHOD_NOT_ALLOWED = 405;
    static final int SERVER_ERROR = 500;
    static final int UNAVAILABLE = 503;

    private static final String JSON = "application/json; charset=utf-8";

    static Reply json(String json) {
        return text(OK, JSON, json);
    }

    static Reply text(int status, String type, String text) {
        return new Reply(status, type, text);
    }

    /** Says what is wrong, as JSON: the page shows it. */
    static Reply problem(int status, String problem) {
        return text(status, JSON, JsonWriter.object(json -> json.field("problem", problem)));
    }
}
