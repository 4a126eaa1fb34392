// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/** The error of a completion whose command came when as many ran and waited as its {@link CallLimit} allows. */
public final class CommandOverloadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int runningMax;
    private final int waitingMax;

    CommandOverloadException(Class<?> command, int runningMax, int waitingMax) {
        super("command " + command.getTypeName() + " was refused: " + runningMax + " run and " + waitingMax
                + " wait, the most that its registration allows: raise the limits there, or yield fewer at once");
        this.runningMax = runningMax;
        this.waitingMax = waitingMax;
    }

    /** Returns how many may run at once. */
    public int runningMax() {
        return runningMax;
    }

    /** Returns how many may wait. */
    public int waitingMax() {
        return waitingMax;
    }
}
