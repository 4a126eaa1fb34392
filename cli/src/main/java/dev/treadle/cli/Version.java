// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** Which Treadle this is, as the manifest of its jar says, and what it runs on. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {
            "treadle " + ofTreadle(),
            "java    " + System.getProperty("java.version") + ", " + System.getProperty("java.vm.name") + ", "
                    + System.getProperty("java.vendor"),
            "os      " + System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", "
                    + Runtime.getRuntime().availableProcessors() + " processors"
        };
    }

    private static String ofTreadle() {
        return Objects.requireNonNullElse(Version.class.getPackage().getImplementationVersion(), "(not packaged)");
    }
}
