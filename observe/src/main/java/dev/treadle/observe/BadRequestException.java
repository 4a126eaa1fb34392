// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

/** What was asked for makes no sense; the message tells the client why. */
final class BadRequestException extends RuntimeException {
    BadRequestException(String message) {
        super(message, null, false, false);
    }
}
