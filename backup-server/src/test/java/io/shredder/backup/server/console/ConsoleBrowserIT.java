// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import io.shredder.backup.console.Chromium;
import io.shredder.backup.keepers.KeeperState.Condition;
import io.shredder.backup.schedule.JobStatus;
import io.shredder.backup.schedule.RunProgress;
import io.shredder.backup.server.alert.Alert;
import io.shredder.backup.server.alert.AlertKind;
import io.shredder.backup.server.alert.Outcomes;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.job.ImageOutcome;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** The page in a real Chromium, held beside WCAG 2.2 AA by axe; left out where there is no Chromium. */
class ConsoleBrowserIT {

    private static final List<String> PAGES = List.of(
            "#/images",
            "#/image/web1",
            "#/image/db1",
            "#/jobs",
            "#/care",
            "#/recovery",
            "#/runs",
            "#/events",
            "#/nothing");
    /** An image's page says that the agent is not there; Chromium notes each such answer. */
    private static final String NO_AGENT = "502 (Bad Gateway)";

    private static final List<String> WCAG = List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa");
    /** Pictures are the same each time. */
    private static final Instant NOW = Instant.parse("2026-03-02T12:00:00Z");

    private static final Path PICTURES = Path.of("target/console-pictures");
    private static final int PHONE = 320;
    private static final int DESK = 1000;

    @TempDir
    private Path folder;

    private ConsoleDaemon daemon;
    private ConsoleServer server;
    private String address;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(Chromium.isThere(), "no chromium and chromedriver here: tools/packages.sh care");
        daemon = new ConsoleDaemon(
                folder,
                "console: {listen: '127.0.0.1:0'}\njobs:\n"
                        + "  nightly: {schedule: '30 2 * * *', time-zone: UTC, images: {web1: {file: a}, db1: {file: b}, mail1:"
                        + " {file: c}, new1: {file: d}}}\n"
                        + "  by-hand: {images: {an-archive-with-a-name-that-is-far-longer-than-a-phone-is-wide-and-has-few-places-to-break: {file:"
                        + " e}}}\n"
                        + "care:\n  proof: {schedule: '0 6 * * *', verify: {all-in: 30d}}\n"
                        + "  second: {schedule: '0 7 * * *', copy: {to: 'second.example:7420'}}\n"
                        + "  starts: {schedule: '0 10 * * 0', boot: {images: [web1, db1], expect: 'login:', pictures: screens}}\n");
        years();
        care();
        server = daemon.serve();
        address = server.address().orElseThrow();
    }

    @AfterEach
    void stop() throws IOException {
        if (server != null) {
            server.close();
            daemon.close();
        }
    }

    private void years() {
        Instant last = NOW.truncatedTo(ChronoUnit.DAYS).plus(Duration.ofMinutes(170));
        for (int i = 400; i >= 0; i--) {
            daemon.at(last.minus(i, ChronoUnit.DAYS));
            long bytes = (20L << 30) + (long) (400 - i) * (5 << 20);
            daemon.history().imageEnded("nightly", Outcomes.succeeded("web1", bytes, 300 << 20, 120 << 20));
            daemon.history()
                    .imageEnded(
                            "nightly",
                            i % 40 == 0 ? failure("db1") : Outcomes.succeeded("db1", 3 * bytes, 900 << 20, 200 << 20));
            if (i > 3) {
                daemon.history().imageEnded("nightly", Outcomes.succeeded("mail1", bytes / 4, 30 << 20, 20 << 20));
            }
            daemon.history().jobEnded("nightly", i % 40 != 0);
        }
        daemon.at(NOW);
        daemon.jobs(new JobStatus(
                "nightly",
                true,
                Optional.of(Duration.ofMinutes(11)),
                Optional.empty(),
                Optional.empty(),
                Optional.of(last.plus(1, ChronoUnit.DAYS)),
                Optional.of(new RunProgress(
                        2, 4, List.of(new RunProgress.Backup("new1", 3L << 30, 20L << 30, Duration.ofSeconds(60)))))));
    }

    private void care() throws IOException {
        daemon.history().careEnded("proof", care(CareOutcome.Kind.VERIFY, Optional.empty(), List.of()));
        daemon.history().careEnded("second", care(CareOutcome.Kind.COPY, Optional.empty(), List.of("agent away")));
        daemon.history().careEnded("starts", care(CareOutcome.Kind.BOOT, Optional.of("web1"), List.of()));
        daemon.history().keepersSeen(Outcomes.keepers(Condition.AWAY, 2, true));
        Files.createDirectories(folder.resolve("screens"));
        BufferedImage screen = new BufferedImage(720, 400, BufferedImage.TYPE_INT_RGB);
        screen.createGraphics().drawString("web1 login: _", 20, 40);
        assertThat(ImageIO.write(
                        screen, "png", folder.resolve("screens/web1.png").toFile()))
                .isTrue();
        daemon.alerts(new Alert(AlertKind.IMAGE_FAILED, "nightly/db1", "disk full", NOW, false));
        daemon.history().alert("image-failed", "nightly/db1", "the backup of an image failed: disk full", false);
    }

    private static ImageOutcome failure(String image) {
        return new ImageOutcome(image, Optional.empty(), Optional.of("disk <b>full</b>"), Duration.ofSeconds(3));
    }

    private static CareOutcome care(CareOutcome.Kind kind, Optional<String> image, List<String> problems) {
        return new CareOutcome(
                kind,
                image,
                Optional.empty(),
                problems,
                Map.of("boot.seconds", 14.5, "verified.bytes", 3e10, "copied.bytes", 1e9, "copied.snapshots", 3.0));
    }

    @Test
    void everyPageIsAccessibleInLightAndDarkAtADeskAndOnAPhoneAndChromiumComplainsOfNothing() throws Exception {
        List<String> found = new ArrayList<>();
        for (boolean dark : new boolean[] {false, true}) {
            for (int width : new int[] {DESK, PHONE}) {
                try (Chromium chromium = new Chromium(dark, width, 800)) {
                    for (String page : PAGES) {
                        chromium.open(address + page);
                        for (Rule rule : new AxeBuilder()
                                .withTags(WCAG)
                                .analyze(chromium.driver())
                                .getViolations()) {
                            found.add(page + " " + width + " " + dark + ": " + rule.getHelp() + " " + rule.getNodes());
                        }
                        long wide = (Long) chromium.script("return document.documentElement.scrollWidth");
                        if (wide > width) {
                            found.add(page + " is " + wide + " wide on a screen of " + width);
                        }
                        chromium.awaitTrue("return !document.querySelector('[aria-busy=true]')");
                        found.addAll(complaints(chromium));
                    }
                }
            }
        }
        assertThat(found).isEmpty();
    }

    private static List<String> complaints(Chromium chromium) {
        return chromium.complaints().stream()
                .filter(line -> !line.contains(NO_AGENT))
                .toList();
    }

    @Test
    void whatIsShownIsWhatIsKept() throws Exception {
        try (Chromium chromium = new Chromium(false, DESK, 800)) {
            chromium.open(address + "#/images");
            assertThat(chromium.driver().getTitle()).isEqualTo("Images - Shredder backup");
            List<String> rows = chromium.driver().findElements(By.cssSelector("tbody tr")).stream()
                    .map(WebElement::getText)
                    .toList();
            assertThat(rows).hasSize(5);
            assertThat(rows.get(0)).startsWith("db1 failed");
            assertThat(rows).anyMatch(row -> row.startsWith("new1 running"));
            assertThat(rows).anyMatch(row -> row.startsWith("mail1 late"));
            chromium.open(address + "#/image/db1");
            assertThat(squares(chromium, ".cell-ok")).isEqualTo(390);
            assertThat(squares(chromium, ".cell-failed")).isEqualTo(11);
            assertThat(chromium.driver().findElement(By.id("main")).getText())
                    .as("text is never markup")
                    .contains("disk <b>full</b>");
            chromium.open(address + "#/jobs");
            assertThat(chromium.driver().findElement(By.id("main")).getText())
                    .contains(
                            "2 of 4 images have ended",
                            "3.2 GB of 21.5 GB",
                            "53.7 MB/s",
                            "nothing has advanced for 11 min");
            chromium.open(address + "#/care");
            chromium.awaitTrue("return document.querySelector('.pictures img').naturalWidth === 720");
            chromium.open(address + "#/runs?result=failed");
            assertThat(chromium.driver().findElements(By.cssSelector("tbody tr")))
                    .hasSize(23);
            assertThat(complaints(chromium)).isEmpty();
        }
    }

    private static long squares(Chromium chromium, String kind) {
        return (Long) chromium.script(
                "return [...document.querySelectorAll(arguments[0])].map(path => path.getAttribute('d').split('M').length - 1)"
                        + ".reduce((sum, each) => sum + each, 0)",
                kind);
    }

    /** Those in docs/pictures are these. */
    @Test
    void picturesForTheDocumentsAreMade() throws Exception {
        Files.createDirectories(PICTURES);
        picture("console-images", "#/images", false, 900, 480);
        picture("console-image", "#/image/db1", true, 900, 640);
        picture("console-phone", "#/jobs", false, PHONE, 640);
    }

    private void picture(String name, String page, boolean dark, int width, int height) throws Exception {
        try (Chromium chromium = new Chromium(dark, width, height)) {
            chromium.open(address + page);
            Path file = PICTURES.resolve(name + ".png");
            Files.write(file, chromium.driver().getScreenshotAs(OutputType.BYTES));
            assertThat(Files.size(file)).isLessThan(60_000);
        }
    }

    @Test
    void everythingIsReachedByTheKeyboardAndSaidWhereItIs() throws Exception {
        try (Chromium chromium = new Chromium(false, DESK, 800)) {
            chromium.open(address);
            new Actions(chromium.driver()).sendKeys(Keys.TAB, Keys.ENTER).perform();
            assertThat(chromium.script("return document.activeElement.id")).isEqualTo("main");
            new Actions(chromium.driver())
                    .sendKeys(Keys.TAB)
                    .sendKeys("WEB")
                    .sendKeys(Keys.ENTER)
                    .perform();
            chromium.awaitShown("#/images?q=WEB&state=any&sort=attention");
            assertThat(chromium.driver().findElements(By.cssSelector("tbody tr")))
                    .hasSize(1);
            assertThat(chromium.script("return document.activeElement.id")).isEqualTo("main");
            assertThat(chromium.driver().findElement(By.id("status")).getAttribute("textContent"))
                    .isEqualTo("Images");
            new Actions(chromium.driver())
                    .sendKeys(Keys.TAB, Keys.TAB, Keys.TAB, Keys.TAB, Keys.TAB, Keys.ENTER)
                    .perform();
            chromium.awaitShown("#/image/web1");
            chromium.driver().navigate().back();
            chromium.awaitShown("#/images?q=WEB&state=any&sort=attention");
            assertThat(complaints(chromium)).isEmpty();
        }
    }
}
