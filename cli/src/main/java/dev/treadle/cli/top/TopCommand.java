// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.top;

import dev.treadle.cli.EndRequest;
import dev.treadle.cli.ExitCode;
import dev.treadle.cli.StatusDisplay;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code treadle top}: shows in a terminal what a running node does. */
@Command(
        name = "top",
        description = {
            "Shows in a terminal what a running node does: what its dashboard shows, refreshed every two seconds.",
            "",
            "The node must have a dashboard, and this machine must reach it. Where there is no terminal, each refresh is"
                    + " printed below the one before."
        },
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  treadle top                               the node at 127.0.0.1:7700",
            "  treadle top --connect box:7700 --once     another one, printed once",
            "  treadle top --sort queue --search orders  where orders wait",
            "",
            "Exit codes: 0 if it could be shown, 1 if not, 130 after Ctrl-C."
        })
public final class TopCommand implements Callable<Integer> {
    private static final int PORT_DEFAULT = 7700;
    private static final int ROWS_MAX = 500;
    private static final int SEARCH_LENGTH_MAX = 200;
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "--connect",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:7700",
            description = "Where the dashboard is. By default 127.0.0.1:7700.")
    private String connect = "";

    @Option(
            names = "--token",
            paramLabel = "T",
            description =
                    "The dashboard's token, if it asks for one. By default what is in TREADLE_TOKEN, which others on"
                            + " this machine cannot see.")
    private @Nullable String token;

    @Option(
            names = "--sort",
            paramLabel = "WHAT",
            defaultValue = "steps",
            description = "What processes are sorted by: ${COMPLETION-CANDIDATES}. By default steps.")
    private TopSort sort = TopSort.STEPS;

    @Option(
            names = "--search",
            paramLabel = "TEXT",
            defaultValue = "",
            description = "Show only processes with this in pid, type, method, name or an attribute.")
    private String search = "";

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "12",
            description = "How many processes to show. By default 12.")
    private int rows;

    @Option(names = "--once", description = "Print it once, and end.")
    private boolean once;

    /** Made by picocli. */
    public TopCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        if (rows < 1 || rows > ROWS_MAX) {
            throw usage("--rows was " + rows + ", must be 1 to " + ROWS_MAX + ": leave it out to use 12");
        }
        if (search.length() > SEARCH_LENGTH_MAX) {
            throw usage("--search has " + search.length() + " characters, must have at most " + SEARCH_LENGTH_MAX
                    + ": shorten it");
        }
        String known = token != null ? token : System.getenv("TREADLE_TOKEN");
        var client = new TopClient(dashboard(), known);
        PrintWriter out = spec.commandLine().getOut();
        if (once) {
            print(out, lines(client));
            return ExitCode.OK;
        }
        try (EndRequest end = EndRequest.listen(PATIENCE)) {
            follow(client, out, end);
        }
        return ExitCode.OK;
    }

    private URI dashboard() {
        String place = connect.replaceFirst("^http://", "").replaceFirst("/$", "");
        try {
            var uri = new URI("http://" + place + "/");
            if (uri.getHost() != null
                    && uri.getUserInfo() == null
                    && uri.getPath().equals("/")) {
                return uri.getPort() < 0 ? new URI("http://" + place + ":" + PORT_DEFAULT + "/") : uri;
            }
        } catch (URISyntaxException e) {
            // said below
        }
        throw usage("--connect was \"" + connect + "\", must be HOST:PORT: use 127.0.0.1:7700, say");
    }

    private void follow(TopClient client, PrintWriter out, EndRequest end) throws InterruptedException {
        StatusDisplay display = StatusDisplay.on(out);
        boolean terminal = StatusDisplay.isTerminal();
        do {
            List<String> lines = lines(client);
            if (terminal) {
                display.show(lines);
            } else {
                print(out, lines);
            }
        } while (!end.await(INTERVAL) && !display.isClosed());
        display.end();
    }

    private List<String> lines(TopClient client) throws InterruptedException {
        return TopScreen.lines(client.overview(), client.processes(sort, rows, search), rows);
    }

    private void print(PrintWriter out, List<String> lines) {
        lines.forEach(line -> out.println(line.stripTrailing()));
        out.flush();
    }

    private ParameterException usage(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }
}
