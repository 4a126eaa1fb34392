// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.Pid;
import dev.treadle.ProcessInfo;
import dev.treadle.ProcessView;
import dev.treadle.Scheduler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds pages of processes among however many there are. Any thread. */
final class ProcessPages {
    /*
     * One walk over all processes that keeps twice as many rows as the page is deep: when they are full they are sorted, and
     * the worse half goes. A process costs a look and a comparison with the worst row of the better half; only those that
     * are better than it cost an object. So the memory is that of the rows, and the time that of the walk: no index has to
     * be kept while nobody looks.
     */
    private final Subject subject;
    private final PacedAnswers<ProcessQuery, Page> answers = new PacedAnswers<>(this::walk);

    ProcessPages(Subject subject) {
        this.subject = subject;
    }

    /**
     * A part of the processes that were asked for.
     *
     * @param matching how many there are in all
     * @param rows those of the part, in order
     */
    record Page(long matching, List<ProcessInfo> rows) {}

    /** Returns the page that is asked for, and how long it is good. */
    Paced.Known<Page> find(ProcessQuery query) {
        return answers.answer(query);
    }

    private Page walk(ProcessQuery query) {
        var best = new Best(query);
        for (Map.Entry<String, Scheduler> host : subject.schedulers().entrySet()) {
            if (query.host().isEmpty() || query.host().equals(host.getKey())) {
                var search = new ProcessSearch(query.search(), host.getKey(), subject.node());
                best.host = host.getKey();
                host.getValue().scan(matching(query, search, best));
            }
        }
        return best.page();
    }

    private static Consumer<ProcessView> matching(ProcessQuery query, ProcessSearch search, Best best) {
        return process -> {
            if ((query.state() == null || query.state() == process.state())
                    && (query.parent() == null || query.parent().equals(process.parent()))
                    && search.matches(process)) {
                best.offer(process);
            }
        };
    }

    /** The best rows so far, and some that may turn out not to be among them. */
    private static final class Best {
        private static final int ROWS_MIN = 1_000;

        private final ProcessQuery query;
        private final List<Row> rows = new ArrayList<>();
        private final int rowsMax;
        private final Comparator<Row> order;
        private @Nullable Row worst;
        private String host = "";
        private long matching;

        Best(ProcessQuery query) {
            this.query = query;
            this.rowsMax = Math.max(ROWS_MIN, 2 * query.depth());
            this.order = (a, b) ->
                    compare(a.text, a.number, a.info.pid().host(), a.info.pid().id(), b);
        }

        void offer(ProcessView process) {
            matching++;
            long number = query.sort().number(process);
            String text = query.sort().text(process, host);
            Row worst = this.worst;
            if (worst == null || compare(text, number, host, process.id(), worst) < 0) {
                rows.add(new Row(text, number, process.info()));
                if (rows.size() == rowsMax) {
                    keepBest();
                }
            }
        }

        private void keepBest() {
            rows.sort(order);
            rows.subList(query.depth(), rows.size()).clear();
            worst = rows.get(rows.size() - 1);
        }

        private int compare(String text, long number, String host, long id, Row that) {
            int order = text.compareTo(that.text);
            order = order != 0 ? order : Long.compare(number, that.number);
            if (order != 0) {
                return query.descending() ? -order : order;
            }
            Pid pid = that.info.pid();
            int byHost = host.compareTo(pid.host());
            return byHost != 0 ? byHost : Long.compare(id, pid.id());
        }

        Page page() {
            return new Page(
                    matching,
                    rows.stream()
                            .sorted(order)
                            .skip(query.offset())
                            .limit(query.limit())
                            .map(Row::info)
                            .toList());
        }
    }

    private record Row(String text, long number, ProcessInfo info) {}
}
