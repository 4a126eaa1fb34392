// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import dev.treadle.CommandRegistry;
import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.Scheduler;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import dev.treadle.command.Sleep;
import dev.treadle.commands.HttpExchange;
import dev.treadle.commands.HttpHandlers;
import dev.treadle.commands.HttpReply;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Visits a page and what it links to, many sites at once, but each site with one request at a time and a pause after it.
 *
 * <p>The crawler knows what was seen. For each site it has a child that keeps the queue and the pace of that site. No thread
 * waits for a reply or for the end of a pause.
 *
 * <p>A crawler for the open web also reads robots.txt, and finds links with a real parser of HTML.
 */
public final class Crawler implements Process {
    /** A page that was visited, as a site tells the crawler. A status of 0 means that there was no reply. */
    private record Visited(URI page, int status, List<URI> links) {}

    private final int pagesMax;
    private final Duration pause;
    private final Map<String, Pid> sites = new HashMap<>();
    private final Set<URI> seen = new HashSet<>();
    private final SortedMap<URI, Integer> statuses = new TreeMap<>();
    private ProcessContext context;

    /**
     * Makes a crawler. Submit it with the address of the first page; its result is a map of pages and their status.
     *
     * @param pagesMax how many pages it visits at most
     * @param pause how long it leaves a site alone after each reply
     */
    public Crawler(int pagesMax, Duration pause) {
        this.pagesMax = pagesMax;
        this.pause = pause;
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        this.context = context;
        visit(input.get(0, URI.class));
    }

    @Override
    public void step(Events events, StepOutput out) {
        for (Event event : events) {
            if (event instanceof Message message) {
                Visited visited = message.payload(Visited.class);
                statuses.put(visited.page(), visited.status());
                visited.links().forEach(this::visit);
            }
        }
        if (statuses.size() == seen.size() || context.isCancelled()) {
            sites.values().forEach(site -> context.send(site, "enough", null)); // children do not end with their parent
            out.done(statuses);
        }
    }

    private void visit(URI page) {
        if (seen.size() < pagesMax && seen.add(page)) {
            Pid site = sites.computeIfAbsent(
                    page.getAuthority(),
                    name -> context.spawn(new Site(pause), "main").pid());
            context.send(site, "visit", page);
        }
    }

    /** Visits the pages of one site, one after the other. */
    private static final class Site implements Process {
        private static final long REPLY = 1;
        private static final long PAUSE = 2;
        private static final Duration REPLY_TIME_MAX = Duration.ofSeconds(30);
        private static final Pattern LINK = Pattern.compile("href\\s*=\\s*\"([^\"#]+)");

        private final Duration pause;
        private final Queue<URI> waiting = new ArrayDeque<>();
        private ProcessContext context;
        private @Nullable URI current;

        Site(Duration pause) {
            this.pause = pause;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            out.idle(); // pages may come at any time, also while a request is under way
            for (Event event : events) {
                if (event instanceof Message message && message.topic().equals("visit")) {
                    waiting.add(message.payload(URI.class));
                } else if (event instanceof Message || event instanceof Signal) {
                    out.done(); // enough, or cancelled; a request that is under way is given up
                    return;
                } else if (event instanceof Completion completion && completion.tag() == REPLY) {
                    tell(completion);
                    out.yield(new Sleep(pause), PAUSE);
                } else {
                    current = null; // the pause is over
                }
            }
            if (current == null && !waiting.isEmpty()) {
                current = waiting.remove();
                out.yield(HttpExchange.get(current), REPLY, REPLY_TIME_MAX);
            }
        }

        private void tell(Completion completion) {
            URI page = Objects.requireNonNull(current);
            Visited visited;
            if (completion.isFailed()) {
                visited = new Visited(page, 0, List.of());
            } else {
                HttpReply reply = completion.data(HttpReply.class);
                visited = new Visited(page, reply.status(), links(page, reply.text()));
            }
            context.send(Objects.requireNonNull(context.parent()), "visited", visited);
        }

        private static List<URI> links(URI page, String html) {
            return LINK.matcher(html)
                    .results()
                    .map(link -> resolve(page, link.group(1)))
                    .filter(link ->
                            link != null && String.valueOf(link.getScheme()).startsWith("http"))
                    .toList();
        }

        /** Returns null if the link is none. */
        private static @Nullable URI resolve(URI page, String link) {
            try {
                return page.resolve(link);
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
    }

    /** Crawls from the address that is given. */
    public static void main(String[] args) throws Exception {
        URI first = URI.create(args.length == 0 ? "http://127.0.0.1:8000/" : args[0]);
        CommandRegistry registry =
                HttpHandlers.over(HttpClient.newHttpClient()).bodyMax(1 << 20).register(new CommandRegistry());
        try (Scheduler scheduler = Scheduler.builder().handlers(registry).start()) {
            var crawler = new Crawler(20, Duration.ofSeconds(1));
            System.out.println(scheduler.submit(crawler, "main", first).result().get());
        }
    }
}
