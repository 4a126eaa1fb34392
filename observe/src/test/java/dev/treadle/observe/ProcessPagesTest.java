// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessInfo;
import dev.treadle.ProcessInfo.State;
import dev.treadle.Scheduler;
import dev.treadle.SteppedScheduler;
import dev.treadle.Submission;
import dev.treadle.node.Node;
import dev.treadle.node.Spawn;
import dev.treadle.node.SteppedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of a hundred thousand processes: what a plain sort of all of them gives, but quickly. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProcessPagesTest {
    private static final int PROCESSES = 100_000;
    private static final List<String> METHODS = List.of("serve", "audit", "Price", "main");

    private final SteppedScheduler stepped = Scheduler.builder().workers(2).stepped();
    private final Scheduler scheduler = stepped.scheduler();
    private List<ProcessInfo> all = List.of();
    private final ProcessPages pages = new ProcessPages(Subject.of(scheduler));

    @BeforeAll
    void start() {
        var random = new SplittableRandom(7);
        Process listener = Process.of((events, out) -> out.idle());
        Process other = Process.of((events, out) -> out.idle());
        for (int i = 0; i < PROCESSES; i++) {
            Submission submission =
                    Submission.of(random.nextBoolean() ? listener : other, METHODS.get(random.nextInt(METHODS.size())));
            scheduler.submit(i % 1_000 == 0 ? submission.attribute("tenant", "Acme" + i) : submission);
        }
        stepped.runAll();
        for (int i = 0; i < PROCESSES; i++) {
            Pid pid = Pid.of("main", 1 + random.nextInt(PROCESSES));
            scheduler.send(pid, "some", null);
        }
        for (int i = 0; i < PROCESSES / 3; i++) {
            stepped.runOne(i % 2);
        }
    }

    /** Nothing happens here by itself, so what was read once stays true. */
    private List<ProcessInfo> all() {
        if (all.isEmpty()) {
            all = scheduler
                    .processes()
                    .sorted(Comparator.comparing(ProcessInfo::pid))
                    .toList();
        }
        return all;
    }

    @AfterAll
    void close() {
        scheduler.shutdown(Duration.ZERO);
    }

    private static ProcessQuery query(
            ProcessQuery.Sort sort, boolean descending, String search, int offset, int limit) {
        return new ProcessQuery(sort, descending, search, null, "", null, offset, limit);
    }

    private static ProcessQuery search(String search) {
        return query(ProcessQuery.Sort.PID, false, search, 0, 100);
    }

    private ProcessPages.Page find(ProcessQuery query) {
        return pages.find(query).value();
    }

    private static List<Pid> pids(List<ProcessInfo> processes) {
        return processes.stream().map(ProcessInfo::pid).toList();
    }

    private static Comparator<ProcessInfo> by(ProcessQuery.Sort sort) {
        Function<ProcessInfo, Comparable<?>> key = process -> switch (sort) {
            case PID -> process.pid().id();
            case STATE -> process.state().name();
            case TYPE -> process.type();
            case METHOD -> process.method();
            case STEPS -> process.steps();
            case QUEUE -> process.queueLength();
            case YIELDS -> process.yieldsInFlight();
            case AGE -> process.age();
            case WORKER -> process.worker();
        };
        @SuppressWarnings("unchecked") // each key is compared with its like
        Comparator<ProcessInfo> comparator = (a, b) -> ((Comparable<Object>) key.apply(a)).compareTo(key.apply(b));
        return comparator;
    }

    @ParameterizedTest
    @EnumSource(ProcessQuery.Sort.class)
    void anyOrderIsThatOfASortOfAll(ProcessQuery.Sort sort) {
        for (boolean descending : List.of(false, true)) {
            Comparator<ProcessInfo> order = descending ? by(sort).reversed() : by(sort);
            if (sort == ProcessQuery.Sort.AGE) {
                order = (descending
                        ? Comparator.comparing(ProcessInfo::pid)
                        : Comparator.comparing(ProcessInfo::pid).reversed());
            }
            List<Pid> expected = pids(all().stream()
                    .sorted(order) // stable: by pid where it is equal
                    .skip(70)
                    .limit(50)
                    .toList());

            ProcessPages.Page page = find(query(sort, descending, "", 70, 50));

            assertThat(pids(page.rows())).isEqualTo(expected);
            assertThat(page.matching()).isEqualTo(PROCESSES);
        }
    }

    @Test
    void pagesFollowEachOtherWithoutGapOrOverlap() {
        var read = new ArrayList<Pid>();
        for (int offset = 0; offset < 1_000; offset += 100) {
            read.addAll(pids(
                    find(query(ProcessQuery.Sort.QUEUE, true, "", offset, 100)).rows()));
        }

        assertThat(read)
                .doesNotHaveDuplicates()
                .isEqualTo(pids(
                        find(query(ProcessQuery.Sort.QUEUE, true, "", 0, 1_000)).rows()));
    }

    @Test
    void aPagePastTheEndIsEmpty() {
        assertThat(find(query(ProcessQuery.Sort.PID, false, "acme99000", 100, 50))
                        .rows())
                .isEmpty();
    }

    /** Pid, number, method and attribute; in any case; and what nobody has. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "777",
                "0123",
                "99999",
                "{main|4242}",
                "|4242}",
                "|424",
                "{MAIN|",
                "price",
                "AUDIT",
                "acme",
                "acme99",
                "lambda",
                "nobody",
                "00",
                "7}",
                "<b>"
            })
    void aSearchFindsWhatALookAtEachOneFinds(String search) {
        String wanted = search.toLowerCase(Locale.ROOT);
        List<Pid> expected = pids(all().stream()
                .filter(process -> (process.pid() + "\n" + process.pid().id() + "\n" + process.type() + "\n"
                                + process.method() + "\n" + process.attributes().values())
                        .toLowerCase(Locale.ROOT)
                        .contains(wanted))
                .toList());

        ProcessPages.Page page = find(search(search));

        assertThat(page.matching()).isEqualTo(expected.size());
        assertThat(pids(page.rows())).isEqualTo(expected.stream().limit(100).toList());
    }

    @Test
    void aStateCanBeAskedFor() {
        long ready = scheduler
                .processes()
                .filter(process -> process.state() == State.READY)
                .count();

        ProcessPages.Page page = find(new ProcessQuery(ProcessQuery.Sort.PID, false, "", State.READY, "", null, 0, 50));

        assertThat(ready).isPositive().isLessThan(PROCESSES);
        assertThat(page.matching()).isEqualTo(ready);
        assertThat(page.rows()).allMatch(process -> process.state() == State.READY);
        assertThat(find(new ProcessQuery(ProcessQuery.Sort.PID, false, "", null, "other", null, 0, 50))
                        .matching())
                .as("on another host")
                .isZero();
    }

    @Test
    void aPageTakesNoLongerThanPeopleWait() {
        for (int i = 0; i < 5; i++) {
            find(query(
                    ProcessQuery.Sort.STEPS, true, "audit" + "x".repeat(i), 0, 50)); // each one anew, so none is kept
        }

        Paced.Known<ProcessPages.Page> page = pages.find(query(ProcessQuery.Sort.AGE, true, "audit", 0, 50));

        assertThat(Duration.ofNanos(page.tookNanos())).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void whoAsksAgainSoonGetsTheSameAnswer() {
        ProcessQuery query = query(ProcessQuery.Sort.METHOD, true, "serve", 0, 10);

        assertThat(find(query)).isSameAs(find(query));
    }

    @Test
    void namesAreFoundAndHostsAreSortedFirst() {
        try (SteppedNode made = Node.builder().host("b").host("a").stepped()) {
            Node node = made.node();
            Pid a = node.spawn(Spawn.of(() -> Process.of((events, out) -> {}))
                            .on("a")
                            .name("Orders"))
                    .pid();
            Pid b = node.spawn(Spawn.of(() -> Process.of((events, out) -> {})).on("b"))
                    .pid();
            var both = new ProcessPages(Subject.of(node));

            assertThat(pids(both.find(search("orders")).value().rows())).containsExactly(a);
            assertThat(pids(both.find(search("")).value().rows())).containsExactly(a, b);
        }
    }
}
