// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.deque.html.axecore.selenium.AxeBuilder;
import io.shredder.backup.server.Sites;
import java.io.IOException;
import java.nio.file.Path;
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
        sites = new Sites(folder);
        sites.startAgent();
        Sites.random(folder.resolve("vm.img"), new Random(1), 1 << 20);
        for (int i = 0; i < 3; i++) {
            sites.backUp(folder.resolve("vm.img"), "vm");
        }
        daemon = new ConsoleDaemon(
                folder,
                sites.agentSection(),
                "console: {listen: '127.0.0.1:0'}\njobs: {nightly: {keep: {last: 2}, images: {vm: {file: vm.img}}}}\n");
        daemon.at(Instant.now());
        server = daemon.serve();
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
            try (Chromium chromium = new Chromium(dark, PHONE, 800)) {
                chromium.open(server.address().orElseThrow() + "#/image/vm");
                chromium.awaitTrue("return !document.querySelector('[aria-busy=true]')");
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
                assertThat(new AxeBuilder().analyze(chromium.driver()).getViolations())
                        .isEmpty();
                assertThat((Long) chromium.script("return document.documentElement.scrollWidth"))
                        .isLessThanOrEqualTo(PHONE);
                assertThat(chromium.complaints()).isEmpty();
            }
        }
    }

    private static long marks(Chromium chromium, String kind) {
        return (Long) chromium.script(
                "return document.querySelector('#prune ' + arguments[0]).getAttribute('d').split('M').length - 1",
                kind);
    }
}
