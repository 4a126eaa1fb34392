// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.treadle.Event;
import dev.treadle.Message;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessInfo.State;
import dev.treadle.node.ChildSpec;
import dev.treadle.node.Node;
import dev.treadle.node.Spawn;
import dev.treadle.node.Supervisor;
import dev.treadle.node.SupervisorSpec;
import dev.treadle.observe.Dashboard;
import dev.treadle.observe.Incidents;
import dev.treadle.observe.Tracer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The pages in a real browser: what they show is what the node says, and what users named is shown as text. Any error of a
 * script, or anything that the content policy stops, fails the test.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardPagesTest {
    private static final double PATIENCE_MILLIS = 60_000; // a page may take long on a busy machine
    private static final String HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>alert(1)</script>";

    /** What a browser says of a server that asks for a token, or goes. */
    private static final Pattern EXPECTED =
            Pattern.compile("status of 401|net::ERR_(INCOMPLETE_CHUNKED_ENCODING|CONNECTION_|EMPTY_RESPONSE)");

    private static final String TOKEN = "a-token-of-some-length";

    private final Incidents incidents = new Incidents();
    private final Tracer tracer = new Tracer();
    private final List<String> troubles = new ArrayList<>();

    private Chromium chromium;
    private Node node;
    private Dashboard dashboard;
    private Pid hostile;
    private BrowserContext context;
    private Page page;

    @BeforeAll
    void start() {
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        chromium = Chromium.start();
        node = Node.builder()
                .name("shop")
                .host("users", host -> host.workers(2))
                .schedulers(scheduler -> scheduler.listener(incidents))
                .start();
        for (int i = 0; i < 200; i++) {
            node.spawn(Spawn.of(DashboardPagesTest::listener).method(i == 150 ? "audit" : "serve"));
        }
        for (int i = 0; i < 7; i++) {
            node.send(Pid.of("users", 42), "hello", i);
        }
        SupervisorSpec spec = SupervisorSpec.oneForOne()
                .child(ChildSpec.of("orders", Spawn.of(DashboardPagesTest::listener)))
                .child(ChildSpec.of(HOSTILE, Spawn.of(DashboardPagesTest::listener)));
        Pid supervisor =
                node.spawn(Spawn.of(() -> Supervisor.of(spec)).name("top")).pid();
        hostile = node.spawn(Spawn.of(() -> tracer.trace(listener()))
                        .name(HOSTILE)
                        .attribute("tenant", HOSTILE)
                        .linkedTo(supervisor))
                .pid();
        node.groups().join(HOSTILE, hostile);
        node.send(hostile, HOSTILE, HOSTILE);
        node.send(Pid.of("users", 999_999), HOSTILE, HOSTILE);
        Pid failing = node.spawn(Spawn.of(() -> Process.of((events, out) -> {
                    throw new IllegalStateException(HOSTILE);
                })))
                .pid();
        await().until(() -> node.find(failing).isEmpty()
                && node.host("users").scheduler().processes().allMatch(process -> process.state() == State.IDLE));
        dashboard = Dashboard.of(node)
                .port(0)
                .incidents(incidents)
                .tracer(tracer)
                .allowControl()
                .interval(Duration.ofMillis(200))
                .start();
    }

    private static Process listener() {
        return Process.of((events, out) -> {
            out.idle();
            for (Event event : events) {
                if (!(event instanceof Message)) {
                    out.done();
                }
            }
        });
    }

    @AfterAll
    void stop() {
        if (chromium != null) {
            dashboard.close();
            node.close();
            chromium.close();
        }
    }

    @BeforeEach
    void open() {
        troubles.clear();
        use(new Browser.NewContextOptions());
    }

    private void use(Browser.NewContextOptions options) {
        if (context != null) {
            context.close();
        }
        context = chromium.browser().newContext(options);
        page = context.newPage();
        page.onPageError(troubles::add);
        page.onDialog(dialog -> troubles.add("dialog: " + dialog.message()));
        page.onConsoleMessage(message -> {
            if (message.type().equals("error")
                    && !EXPECTED.matcher(message.text()).find()) {
                troubles.add(message.text());
            }
        });
    }

    @AfterEach
    void nothingWentWrong() {
        assertThat(page.title()).doesNotContain("owned");
        assertThat(troubles).isEmpty();
        context.close();
    }

    private void go(String path) {
        page.navigate(dashboard.url() + "#/" + path);
    }

    private static String encoded(Pid pid) {
        return URLEncoder.encode(pid.toString(), StandardCharsets.UTF_8);
    }

    private static String exact(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    @Test
    void theOverviewShowsTheSchedulersFigures() {
        go("");

        var stats = node.host("users").scheduler().stats();
        assertThat(page.locator("#connection-text")).hasText("live");
        assertThat(page.locator("#alive")).hasText(exact(stats.alive()));
        assertThat(page.locator("[data-state=IDLE]")).hasText(exact(stats.alive()));
        assertThat(page.locator("[data-figure=Events]"))
                .hasAttribute("data-total", Long.toString(stats.total().events()));
        assertThat(page.locator("[data-figure='Dead letters']")).containsText(incidents.deadLetterCount() + " in all");
        assertThat(page.locator(".tile").first())
                .containsText(exact(stats.total().steps()) + " in all");
        assertThat(page.getByRole(AriaRole.ROW)).hasCount(1 + stats.workers().size());
        assertThat(page.locator("#troubles")).containsText("NO_SUCH_PROCESS: message \"" + HOSTILE);
        assertThat(page.locator("#troubles")).containsText("java.lang.IllegalStateException: " + HOSTILE);
        assertThat(page.locator("svg.spark path.line").first()).hasAttribute("d", Pattern.compile("M.*L.*"));
    }

    @Test
    void anIncidentOpensAndStaysOpenWhileThePageRefreshes() {
        go("");
        Locator letter = page.locator("#troubles details").last();
        letter.locator("summary").focus();
        page.keyboard().press("Enter");
        assertThat(letter.locator("pre")).containsText(HOSTILE);

        long before = incidents.deadLetterCount();
        node.send(Pid.of("users", 999_998), "again", null);
        assertThat(page.locator("#troubles")).containsText("Dead letters: " + (before + 1));

        assertThat(page.locator("#troubles details[open]")).hasCount(1);
    }

    @Test
    void processesAreSortedAndSearchedAndPaged() {
        go("processes");
        long alive = node.host("users").scheduler().stats().alive();
        assertThat(page.locator("#count")).hasText(exact(alive) + " processes");
        Locator rows = page.locator("#processes tbody tr");
        assertThat(rows).hasCount(50);

        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Steps"))
                .click();
        assertThat(page.locator("th[aria-sort=descending]")).hasText("Steps");
        assertThat(rows.first()).hasAttribute("data-pid", busiest().toString());

        page.locator("#next").click();
        assertThat(page.locator(".pager")).containsText("51 to 100");

        page.locator("#search").fill("AUDIT");
        assertThat(page.locator("#count")).hasText("1 process found");
        assertThat(rows.first().locator("td").nth(2)).hasText("audit");

        page.locator("#search").fill("onerror");
        assertThat(rows.first()).containsText(HOSTILE);
        page.locator("#search").fill("no such thing");
        assertThat(rows).hasText("None.");
    }

    private Pid busiest() {
        return node.host("users")
                .scheduler()
                .processes()
                .max((a, b) -> a.steps() != b.steps()
                        ? Long.compare(a.steps(), b.steps())
                        : b.pid().compareTo(a.pid()))
                .orElseThrow()
                .pid();
    }

    @Test
    void oneProcessIsShownAsTextWhateverItIsCalled() {
        go("process/" + encoded(hostile));

        assertThat(page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setLevel(1)))
                .hasText(hostile.toString());
        assertThat(page.locator("#process-state")).hasText("idle");
        assertThat(page.locator("#process-names")).containsText(HOSTILE);
        assertThat(page.locator("#attributes")).containsText(HOSTILE);
        assertThat(page.locator("tr.event").first()).containsText(HOSTILE);
        assertThat(page.locator("#process-links a")).hasCount(1);
        assertThat(page.locator("main img, main script")).hasCount(0);
    }

    @Test
    void aProcessIsEndedAfterAQuestionAndNotWithout() {
        Pid pid = node.spawn(Spawn.of(DashboardPagesTest::listener)).pid();
        go("process/" + encoded(pid));
        page.locator("#cancel").click();
        page.locator("#confirm-no").click();
        assertThat(node.find(pid)).isPresent();

        page.locator("#cancel").click();
        page.locator("#confirm-reason").fill("in the way");
        page.locator("#confirm-yes").click();

        assertThat(page.locator("main")).containsText("It is not alive");
        assertThat(node.find(pid)).isEmpty();
        assertThat(page.locator("#cancel")).isHidden();
    }

    @Test
    void treeNamesAndGroupsShowTextAsText() {
        go("tree");
        assertThat(page.locator("#tree li li")).hasCount(2);
        assertThat(page.locator("#tree")).containsText(HOSTILE);
        page.locator("#tree summary").first().click();
        assertThat(page.locator("#tree li li").first()).isHidden();

        page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Names"))
                .click();
        assertThat(page.locator("#names")).containsText(HOSTILE);
        page.locator("#groups summary").click();
        assertThat(page.locator("#groups a")).hasText(hostile.toString());
        page.locator("#name-search").fill("TOP");
        assertThat(page.locator("#names tr")).hasCount(1);
    }

    @Test
    void theKeyboardIsEnough() {
        go("");
        assertThat(page.locator("#alive")).not().hasText("–");
        page.keyboard().press("Tab");
        assertThat(page.locator(":focus")).hasText("Skip to content");
        page.keyboard().press("Enter");
        assertThat(page.locator("main")).isFocused();

        page.getByRole(
                        AriaRole.LINK,
                        new Page.GetByRoleOptions().setName("Processes").setExact(true))
                .focus();
        page.keyboard().press("Enter");
        assertThat(page).hasTitle(Pattern.compile("Processes.*"));
        assertThat(page.locator("main")).isFocused();
        assertThat(page.locator("nav [aria-current=page]")).hasText("Processes");
        Locator age = page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Age"));
        age.focus();
        page.keyboard().press("Enter");
        assertThat(page.locator("th[aria-sort]")).hasText("Age");
        assertThat(age).isFocused(); // also when the table is drawn anew
    }

    @Test
    void nothingIsWiderThanAPhoneAndDarkIsDark() {
        use(new Browser.NewContextOptions().setViewportSize(360, 740).setColorScheme(ColorScheme.DARK));
        for (String path : List.of("", "processes", "process/" + encoded(hostile), "tree", "names")) {
            go(path);
            assertThat(page.locator("main h1")).isVisible();
            assertThat(page.locator("#connection-text")).hasText("live");
            assertThat((Integer) page.evaluate("document.documentElement.scrollWidth"))
                    .as("width of page \"%s\"", path)
                    .isLessThanOrEqualTo(360);
        }
        assertThat((String) page.evaluate("getComputedStyle(document.body).backgroundColor"))
                .isEqualTo("rgb(18, 22, 26)");
    }

    @Test
    void aTokenIsAskedForAndKeptOutOfTheAddress() {
        try (Dashboard guarded = Dashboard.of(node).port(0).token(TOKEN).start()) {
            page.navigate(guarded.url().toString());
            assertThat(page.locator("#token-dialog")).isVisible();
            assertThat(page.locator("#alive")).hasText("–");
            page.locator("#token").fill("a-wrong-token-here");
            page.keyboard().press("Enter");
            assertThat(page.locator("#token-dialog")).isVisible();
            page.locator("#token").fill(TOKEN);
            page.keyboard().press("Enter");
            assertThat(page.locator("#connection-text")).hasText("live");
            assertThat(page.locator("#alive")).not().hasText("–");

            use(new Browser.NewContextOptions());
            page.navigate(guarded.url() + "#token=" + TOKEN);
            assertThat(page.locator("#connection-text")).hasText("live");
            assertThat(page.url()).doesNotContain(TOKEN);
            page.getByRole(
                            AriaRole.LINK,
                            new Page.GetByRoleOptions().setName("Processes").setExact(true))
                    .click();
            page.locator("#processes a").first().click();
            assertThat(page.locator("#process-state")).isVisible();
            assertThat(page.locator("#cancel")).isHidden(); // it only shows
        }
    }

    @Test
    void whenTheServerGoesThePageSaysSo() {
        Dashboard soonGone = Dashboard.of(node).port(0).start();
        page.navigate(soonGone.url().toString());
        assertThat(page.locator("#connection-text")).hasText("live");

        soonGone.close();

        assertThat(page.locator("#connection-text")).hasText(Pattern.compile("not connected.*"));
    }
}
