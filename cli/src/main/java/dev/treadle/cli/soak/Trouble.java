// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.soak;

/** What a soak does to a scheduler besides plain work. */
enum Trouble {
    CRASH("crashes"),
    INIT_FAILURE("failed inits"),
    CLOSE_FAILURE("failed closes"),
    UPGRADE("upgrades"),
    CANCEL("cancels"),
    DEADLINE("cancels with a deadline"),
    TERMINATE("terminates"),
    BURST("bursts"),
    FULL_MAILBOX("full mailboxes"),
    NO_PLACE("submissions refused"),
    BLOCKED_STEP("blocked steps"),
    SLOW_STEP("slow steps taken over"),
    ANSWERED_LATE("answered late"),
    ANSWERED_TWICE("answered twice"),
    NEVER_ANSWERED("never answered"),
    HANDLER_THROWS("handlers that throw"),
    UNKNOWN_COMMAND("unknown commands"),
    UNANSWERED_REQUEST("requests without reply"),
    KILLED_ROUND("shutdowns by force");

    final String plural;

    Trouble(String plural) {
        this.plural = plural;
    }
}
