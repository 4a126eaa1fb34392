// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command of another module, which the launcher of a checkout runs from a jar of its own. It stands here so that {@code
 * --help} lists it, and so that who runs this jar alone is told where it is.
 */
@Command
final class CheckoutCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private CheckoutCommand() {}

    /** Lists a command that the launcher knows. */
    static void addTo(CommandLine line, String name, String description, String example) {
        var command = new CommandLine(new CheckoutCommand());
        command.getCommandSpec().usageMessage().description(description).footer("", "Example:", "  treadle " + example);
        line.addSubcommand(name, command);
    }

    @Override
    public Integer call() {
        String name = spec.name();
        throw new IllegalStateException(
                "the command " + name + " is not in this jar, it comes with the source: run ./treadle " + name
                        + " in a checkout, with the command first");
    }
}
