// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.deque.html.axecore.selenium.AxeBuilder;
import io.shredder.backup.console.Chromium;
import io.shredder.backup.console.PersonTls;
import io.shredder.backup.console.TlsTunnel;
import io.shredder.backup.server.Sites;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Snapshots of a real agent at an image's page, in a real Chromium; left out where there is none. */
@InTurn(days = 3)
class ConsoleSnapshotsBrowserIT {

    private static final int PHONE = 320;

    @TempDir
    private Path folder;

    private Sites sites;
    private ConsoleDaemon daemon;
    private ConsoleServer server;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(Chromium.isThere(), "no chromium and chromedriver here: tools/packages.sh care");
        folder = folder.toRealPath();
        sites = new Sites(folder);
        sites.startAgent();
        Sites.random(folder.resolve("vm.img"), new Random(1), 1 << 20);
        for (int i = 0; i < 3; i++) {
            sites.backUp(folder.resolve("vm.img"), "vm");
        }
        daemon = new ConsoleDaemon(
                folder,
                sites.agentSection(),
                "console: {listen: '127.0.0.1:0', certificate: certs/agent.crt, key: certs/agent.key, authority: certs/ca.crt,"
                        + " people: [site1, site1-admin], actions: {site1-admin: [restore, open, files]}, restore-to: restored}\n"
                        + "jobs: {nightly: {keep: {last: 2}, images: {vm: {file: vm.img}}}}\n");
        daemon.at(Instant.now());
        Files.createDirectory(
                folder.resolve("restored"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        server = daemon.serve();
    }

    private TlsTunnel as(String person) throws Exception {
        Path certs = folder.resolve("certs");
        TlsFiles files = new TlsFiles(
                certs.resolve("client-" + person + ".crt"),
                certs.resolve("client-" + person + ".key"),
                certs.resolve("ca.crt"));
        return new TlsTunnel(
                PersonTls.of(files), URI.create(server.address().orElseThrow()).getPort());
    }

    private static void open(Chromium chromium, TlsTunnel tunnel, String page) throws InterruptedException {
        chromium.open("http://localhost:" + tunnel.port() + "/" + page);
        chromium.awaitTrue("return !document.querySelector('[aria-busy=true]')");
    }

    private static void assertAccessible(Chromium chromium) {
        assertThat(new AxeBuilder().analyze(chromium.driver()).getViolations()).isEmpty();
        assertThat((Long) chromium.script("return document.documentElement.scrollWidth"))
                .isLessThanOrEqualTo(PHONE);
        assertThat(chromium.complaints()).isEmpty();
    }

    @AfterEach
    void stop() throws IOException {
        if (server != null) {
            server.close();
            daemon.close();
            sites.close();
        }
    }

    @Test
    void snapshotsAndWhatAPruneWouldDeleteAreDrawnAndSaidInWords() throws Exception {
        for (boolean dark : new boolean[] {false, true}) {
            try (TlsTunnel tunnel = as("site1");
                    Chromium chromium = new Chromium(dark, PHONE, 800)) {
                open(chromium, tunnel, "#/image/vm");
                assertThat(chromium.driver().findElements(By.cssSelector("#snapshots tbody tr")))
                        .hasSize(3);
                assertThat(chromium.driver().findElement(By.id("prune")).getText())
                        .contains(
                                "Rules: last 2 (Z). Of 3 snapshots they keep 2 and delete 1.",
                                "No care prunes by them: nothing is deleted.");
                assertThat(marks(chromium, ".cell-ok")).isEqualTo(2);
                assertThat(marks(chromium, ".gone"))
                        .as("two strokes make a cross")
                        .isEqualTo(1);
                chromium.driver().findElement(By.cssSelector("#prune summary")).sendKeys(Keys.ENTER);
                assertThat(chromium.driver().findElements(By.cssSelector("#prune td:last-child")).stream()
                                .map(WebElement::getText))
                        .containsExactly("kept: last", "kept: last", "deleted");
                assertThat(chromium.driver().findElements(By.cssSelector("#snapshots form")))
                        .as("who may only look")
                        .isEmpty();
                assertAccessible(chromium);
            }
        }
    }

    @Test
    void whoMayRestoresByTheKeyboardAlone() throws Exception {
        try (TlsTunnel tunnel = as("site1-admin");
                Chromium chromium = new Chromium(false, PHONE, 800)) {
            open(chromium, tunnel, "#/image/vm");
            WebElement place = chromium.driver().findElement(By.cssSelector("#snapshots tbody details"));
            place.findElement(By.tagName("summary")).sendKeys(Keys.ENTER);
            assertAccessible(chromium);
            WebElement file = place.findElement(By.tagName("input"));
            assertThat(file.getAttribute("value")).isEqualTo("vm-3.img");
            file.clear();
            file.sendKeys("mine.img", Keys.ENTER);
            chromium.awaitShown("#/recovery");
            chromium.awaitTrue("return document.querySelector('td .done') !== null"); // It looks again by itself.
            assertThat(chromium.driver().findElement(By.cssSelector("tbody tr")).getText())
                    .contains("mine.img", "vm@3", "site1-admin", "1.0 MB of 1.0 MB");
            assertAccessible(chromium);
            assertThat(folder.resolve("restored/mine.img")).hasSameBinaryContentAs(folder.resolve("vm.img"));
            open(chromium, tunnel, "#/runs");
            assertThat(chromium.driver().findElement(By.id("main")).getText())
                    .contains("site1-admin: restore 3 to mine.img of vm", "restore of vm");
            open(chromium, tunnel, "#/image/vm");
            place = chromium.driver().findElement(By.cssSelector("#snapshots tbody details"));
            place.findElement(By.tagName("summary")).sendKeys(Keys.ENTER);
            file = place.findElement(By.tagName("input"));
            file.clear();
            file.sendKeys("../mine", Keys.ENTER);
            assertThat((Boolean) chromium.script("return arguments[0].validity.patternMismatch", file))
                    .isTrue();
        }
    }

    @Test
    void whoMayOpensASnapshotSeesWhereAndClosesIt() throws Exception {
        try (TlsTunnel tunnel = as("site1-admin");
                Chromium chromium = new Chromium(true, PHONE, 800)) {
            open(chromium, tunnel, "#/image/vm");
            WebElement place = chromium.driver()
                    .findElements(By.cssSelector("#snapshots tbody details"))
                    .get(1);
            place.findElement(By.tagName("summary")).sendKeys(Keys.ENTER);
            place.findElement(By.tagName("input")).sendKeys(Keys.ENTER);
            chromium.awaitShown("#/recovery");
            chromium.awaitTrue("return document.querySelector('td .open') !== null"); // It looks again by itself.
            assertThat(chromium.driver().findElement(By.tagName("code")).getText())
                    .startsWith("nbd+unix:///vm@3?socket=");
            assertAccessible(chromium);
            chromium.driver()
                    .findElement(By.cssSelector("button[aria-label='Close: vm@3']"))
                    .click();
            chromium.driver().switchTo().alert().accept();
            chromium.awaitTrue("return document.getElementById('status').textContent === 'Close: vm@3, asked for'");
            chromium.awaitTrue("return document.querySelector('td .closed') !== null");
            assertAccessible(chromium);
        }
    }

    /** Where its programs are missing, the page says so instead. */
    @Test
    void whoMaySeesAListOfFileSystems() throws Exception {
        try (TlsTunnel tunnel = as("site1-admin");
                Chromium chromium = new Chromium(false, PHONE, 800)) {
            open(chromium, tunnel, "#/image/vm");
            chromium.driver().findElements(By.cssSelector("#snapshots tbody button")).stream()
                    .filter(button -> "File systems: snapshot 3".equals(button.getAttribute("aria-label")))
                    .findFirst()
                    .orElseThrow()
                    .sendKeys(Keys.ENTER);
            chromium.awaitShown("#/listing/1");
            assertThat(chromium.driver().getTitle()).isEqualTo("File systems of vm@3 - Shredder backup");
            assertAccessible(chromium);
        }
    }

    private static long marks(Chromium chromium, String kind) {
        return (Long) chromium.script(
                "return document.querySelector('#prune ' + arguments[0]).getAttribute('d').split('M').length - 1",
                kind);
    }
}
