// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

/** The first byte of a value in a file. A number that was given is never given to something else. */
final class ValueTags {
    static final int NULL = 0;
    static final int TRUE = 1;
    static final int FALSE = 2;
    static final int BYTE = 3;
    static final int SHORT = 4;
    static final int CHAR = 5;
    static final int INT = 6;
    static final int LONG = 7;
    static final int FLOAT = 8;
    static final int DOUBLE = 9;
    static final int STRING = 10;
    static final int BYTES = 11;
    static final int PID = 12;
    static final int INSTANT = 13;
    static final int DURATION = 14;
    static final int SEQUENCE = 15;
    static final int MAP = 16;
    static final int ENUM = 17;
    static final int RECORD = 18;
    static final int FAILURE = 19;
    static final int SERIAL = 20;
    static final int CUSTOM = 21;
    static final int TEXT = 22;

    private ValueTags() {}
}
