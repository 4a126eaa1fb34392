// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.run;

import dev.treadle.node.Restart;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run file says, checked as far as the file alone can tell.
 *
 * @param path where it is
 * @param name the name of the node
 * @param classPath jars and folders with the classes of the program
 * @param hosts by name, at least one
 * @param handlers what is registered
 * @param services by name, those that are required before those that require them
 * @param lines where the process of each service is named, and under {@link #HANDLER_CLASSES} the classes of handlers
 */
record RunFile(
        Path path,
        String name,
        List<Path> classPath,
        Map<String, Host> hosts,
        Handlers handlers,
        Map<String, Service> services,
        Map<String, Integer> lines) {
    static final String HANDLER_CLASSES = "handlers.classes";

    /** A host; null leaves the default. */
    record Host(
            @Nullable Integer workers,
            @Nullable Integer maxProcesses,
            @Nullable Integer mailboxCapacity,
            @Nullable List<String> allowSenders) {}

    /**
     * Handlers.
     *
     * @param http how many requests run at once, or null for no HTTP
     * @param programs how many programs run at once, or null for none
     * @param files the folder, or null for no files
     * @param classes classes that register more
     */
    record Handlers(
            @Nullable Integer http,
            @Nullable Integer programs,
            @Nullable Path files,
            List<String> classes) {}

    /** How a service is started and started again. Two that are equal need no reload. */
    record Service(
            String process,
            String method,
            List<@Nullable Object> input,
            @Nullable String host,
            @Nullable String name,
            Restart restart,
            @Nullable Duration shutdown,
            int restarts,
            Duration period,
            @Nullable Duration backoffFirst,
            @Nullable Duration backoffCap,
            List<String> requires) {}
}
