// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import io.shredder.backup.agent.care.CareStanding;
import io.shredder.backup.agent.session.SessionStatus;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.agent.store.ChunkStore;
import io.shredder.backup.care.CareLedger;
import io.shredder.backup.console.Chromium;
import io.shredder.backup.schedule.JobStatus;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.UpkeepRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** The agent's page in a real Chromium, held beside WCAG 2.2 AA by axe; left out where there is no Chromium. */
class AgentConsoleBrowserIT {

    private static final String LONG_NAME =
            "a-client-with-a-name-that-is-far-longer-than-a-phone-is-wide-and-has-few-places-to-break";
    private static final List<String> PAGES = List.of(
            "#/clients",
            "#/client/site1",
            "#/client/site1/vm",
            "#/client/" + LONG_NAME,
            "#/sessions",
            "#/store",
            "#/care",
            "#/audit",
            "#/nothing");
    private static final List<String> WCAG = List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa");
    private static final Instant NOW = Instant.parse("2026-03-02T12:00:00Z");
    private static final int PHONE = 320;
    private static final int DESK = 1000;

    @TempDir
    private Path folder;

    private ConsoleAgent agent;
    private AgentConsole console;
    private String address;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(Chromium.isThere(), "no chromium and chromedriver here: tools/packages.sh care");
        agent = new ConsoleAgent(
                folder,
                "clients:\n  site1: {rights: [append, restore], quota: 8m}\n"
                        + "  site1-admin: {namespace: site1, rights: [prune]}\n"
                        + "  site1-second: {namespace: site1, rights: [confirm]}\n"
                        + "  " + LONG_NAME + ": {rights: [append]}\n"
                        + "namespaces: {site1: {delete-needs: confirm}}\n");
        agent.at(NOW);
        for (int i = 0; i < 120; i++) {
            agent.backUp("site1", "vm");
        }
        agent.backUp("site1", "db");
        try (TestSession admin = agent.session("site1-admin")) {
            admin.ask(new UpkeepRequest.Delete(List.of(1L)));
        }
        agent.repository().audit().record("refused", Map.of("client", "<b>bold</b>"));
        try (TestSession site = agent.session("site1")) {
            assertThat(site.problems()).isEmpty();
        }
        ChunkStore chunks = agent.repository().chunks();
        chunks.damaged(agent.aChunk(), chunks.index().find(agent.aChunk()).orElseThrow());
        agent.sessions(new SessionStatus(
                new SnapshotName("site1"),
                new SnapshotName("site1"),
                "[2001:db8::7]:4711",
                NOW,
                Optional.of(SessionStatus.Task.BACKUP),
                Optional.of(new SnapshotName("vm")),
                Optional.of(NOW),
                new SessionStatus.Progress(7, 3_000_000, 20)));
        care();
        console = agent.serve();
        address = console.address();
    }

    private void care() {
        Optional<Instant> time = Optional.of(NOW.plus(Duration.ofHours(3)));
        agent.care(
                new CareStanding(
                        new JobStatus(
                                "gc",
                                true,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                time,
                                Optional.empty()),
                        "@daily UTC, missed: run",
                        Map.of("freed.bytes", 4000L, "garbage.bytes", 5000L),
                        Optional.empty()),
                new CareStanding(
                        new JobStatus(
                                "verify",
                                false,
                                Optional.empty(),
                                Optional.of(NOW),
                                Optional.of(false),
                                time,
                                Optional.empty()),
                        "@daily UTC, missed: run",
                        Map.of("verified.bytes", 1L << 30),
                        Optional.of(new CareLedger.Turn(
                                5, NOW, NOW, Map.of(3L, List.of("containers/00000/00000001.container is damaged"))))));
    }

    @AfterEach
    void stop() throws IOException {
        if (console != null) {
            console.close();
            agent.close();
        }
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
                        found.addAll(chromium.complaints());
                    }
                }
            }
        }
        assertThat(found).isEmpty();
    }

    private static String shown(Chromium chromium) {
        return chromium.driver().findElement(By.id("main")).getText();
    }

    @Test
    void whatIsShownIsWhatIsKept() throws Exception {
        try (Chromium chromium = new Chromium(false, DESK, 800)) {
            chromium.open(address + "#/clients");
            assertThat(chromium.driver().getTitle()).isEqualTo("Clients - Shredder backup");
            List<String> rows = chromium.driver().findElements(By.cssSelector("tbody tr")).stream()
                    .map(WebElement::getText)
                    .toList();
            assertThat(rows).hasSize(2);
            assertThat(rows.get(0)).startsWith(LONG_NAME + " none yet");
            assertThat(rows.get(1)).startsWith("site1").contains("121");
            assertThat(shown(chromium)).contains("care verify failed or found something");
            chromium.open(address + "#/client/site1");
            assertThat(shown(chromium))
                    .contains("Deletions that wait for a second client", "site1-admin", "prune")
                    .doesNotContain("undefined");
            chromium.open(address + "#/client/site1/vm");
            assertThat(chromium.driver().findElements(By.cssSelector("tbody tr")))
                    .hasSize(100);
            chromium.driver().findElement(By.cssSelector("main button")).click();
            chromium.awaitTrue("return document.querySelectorAll('tbody tr').length === 120");
            chromium.open(address + "#/sessions");
            assertThat(shown(chromium)).contains("[2001:db8::7]:4711", "backs up vm", "3.0 MB");
            chromium.open(address + "#/store");
            chromium.awaitTrue("return document.getElementById('main').textContent.includes('Room left')");
            assertThat(shown(chromium)).contains("Where some of these are", "containers/00000/00000001.container");
            chromium.open(address + "#/care");
            assertThat(shown(chromium))
                    .contains(
                            "Verification since the agent's start",
                            "gives space back",
                            "running",
                            "failed",
                            "00000001.container is damaged");
            chromium.open(address + "#/audit");
            assertThat(shown(chromium)).as("text is never markup").contains("client: <b>bold</b>");
            assertThat(chromium.complaints()).isEmpty();
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
                    .sendKeys("SITE")
                    .sendKeys(Keys.ENTER)
                    .perform();
            chromium.awaitShown("#/clients?q=SITE&sort=name");
            assertThat(chromium.driver().findElements(By.cssSelector("tbody tr")))
                    .hasSize(1);
            assertThat(chromium.driver().findElement(By.id("status")).getAttribute("textContent"))
                    .isEqualTo("Clients");
            new Actions(chromium.driver())
                    .sendKeys(Keys.TAB, Keys.TAB, Keys.TAB, Keys.TAB, Keys.ENTER)
                    .perform();
            chromium.awaitShown("#/client/site1");
            assertThat(chromium.driver()
                            .findElement(By.cssSelector("nav a[aria-current]"))
                            .getText())
                    .isEqualTo("Clients");
            chromium.driver().navigate().back();
            chromium.awaitShown("#/clients?q=SITE&sort=name");
            assertThat(chromium.complaints()).isEmpty();
        }
    }
}
