// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.console;

import java.io.Closeable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Debian's Chromium without a screen, driven by Debian's driver; nothing is downloaded. */
public final class Chromium implements Closeable {

    private static final Path BROWSER = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Duration SOON = Duration.ofSeconds(30);

    /** It warns that it does not know what this Chromium can do that nobody asks of it here; held, so that it stays. */
    private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

    private final ChromeDriver driver;

    /** @param dark whether the system likes dark pages */
    public Chromium(boolean dark, int width, int height) {
        SELENIUM.setLevel(Level.SEVERE);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BROWSER.toFile());
        options.addArguments(
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars");
        if (dark) {
            options.addArguments("--force-dark-mode");
        }
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER.toFile())
                .usingAnyFreePort()
                .build();
        driver = new ChromeDriver(service, options);
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
        driver.manage().window().setSize(new Dimension(width, height));
    }

    /** Whether this machine has both. */
    public static boolean isThere() {
        return Stream.of(BROWSER, DRIVER).allMatch(Files::isExecutable);
    }

    public ChromeDriver driver() {
        return driver;
    }

    /** Opens a page of the console, and returns once it is shown. */
    public void open(String address) throws InterruptedException {
        driver.get(address);
        awaitShown(address.replaceFirst("^[^#]*", ""));
    }

    /** Returns once the console shows the page of this part behind '#'. */
    public void awaitShown(String hash) throws InterruptedException {
        awaitTrue("return document.getElementById('main')?.dataset.page === arguments[0]", hash);
    }

    /** Returns once a script says true. */
    public void awaitTrue(String script, Object... arguments) throws InterruptedException {
        long deadlineNs = System.nanoTime() + SOON.toNanos();
        while (!Boolean.TRUE.equals(script(script, arguments))) {
            if (System.nanoTime() > deadlineNs) {
                throw new IllegalStateException(script + " isn't so: " + driver.getPageSource());
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    public Object script(String text, Object... arguments) {
        return Optional.ofNullable(driver.executeScript(text, arguments)).orElse("");
    }

    /** What the browser complained of since it was asked last. */
    public List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::getMessage)
                .toList();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
