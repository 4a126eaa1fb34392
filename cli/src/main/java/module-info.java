// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/** The {@code treadle} command. */
module dev.treadle.cli {
    requires dev.treadle.core;
    requires info.picocli;
    requires java.logging;
    requires static org.jspecify;

    opens dev.treadle.cli to
            info.picocli;
    opens dev.treadle.cli.demo to
            info.picocli;
    opens dev.treadle.cli.soak to
            info.picocli;
}
