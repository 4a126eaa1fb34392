// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The browser of this machine, without a window. */
final class Chromium implements AutoCloseable {
    private static final List<String> USUAL = List.of(
            "/usr/bin/chromium",
            "/usr/bin/chromium-browser",
            "/usr/bin/google-chrome",
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");

    /** It talks to nobody but us, so that a machine without a network does as well. */
    private static final List<String> FLAGS = List.of(
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");

    private final Playwright playwright;
    private final Browser browser;

    private Chromium(Path program) {
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(program)
                        .setArgs(FLAGS));
    }

    /** Starts it; the tests are skipped where there is none. */
    static Chromium start() {
        Optional<Path> program = find();
        Assumptions.assumeTrue(
                program.isPresent(),
                "no Chromium found, so the pages are not tested: run tools/install-chromium, or set TREADLE_CHROMIUM");
        return new Chromium(program.orElseThrow());
    }

    private static Optional<Path> find() {
        return Stream.concat(Stream.of(System.getenv("TREADLE_CHROMIUM")), USUAL.stream())
                .filter(Objects::nonNull)
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    Browser browser() {
        return browser;
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
