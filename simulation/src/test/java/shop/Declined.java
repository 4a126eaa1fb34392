// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package shop;

/** Has no stack: its serialized form is the same wherever it is made. */
public final class Declined extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Declined(String message) {
        super(message, null, false, false);
    }
}
