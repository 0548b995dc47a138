// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.deque.html.axecore.selenium.AxeBuilder;
import io.shredder.backup.TestCertificates;
import io.shredder.backup.console.Chromium;
import io.shredder.backup.console.PersonTls;
import io.shredder.backup.console.TlsTunnel;
import io.shredder.backup.schedule.JobStatus;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** A person with rights at the page, in a real Chromium; left out where there is none. */
class ConsoleActionsBrowserIT {

    private static final int PHONE = 320;

    @TempDir
    private Path folder;

    private ConsoleDaemon daemon;
    private ConsoleServer server;
    private TestCertificates certificates;
    private int port;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(Chromium.isThere(), "no chromium and chromedriver here: tools/packages.sh care");
        certificates = new TestCertificates(folder.resolve("certs"));
        TlsFiles own = certificates.agent("localhost");
        daemon = new ConsoleDaemon(
                folder,
                "console: {listen: '127.0.0.1:0', certificate: " + own.certificate() + ", key: " + own.key()
                        + ", authority: " + own.authority()
                        + ", people: [alice, carol], actions: {alice: [run, stop, pause]}}\n"
                        + "jobs:\n  nightly: {schedule: '30 2 * * *', images: {web1: {file: a}}}\n"
                        + "  going: {images: {web2: {file: b}}}\n"
                        + "  waiting: {schedule: '30 3 * * *', images: {web3: {file: c}}}\n");
        daemon.jobs(status("nightly", false), status("going", true), status("waiting", false));
        daemon.paused("waiting", Instant.parse("2026-03-03T12:00:00Z"));
        server = daemon.serve();
        port = URI.create(server.address().orElseThrow()).getPort();
    }

    @AfterEach
    void stop() throws IOException {
        if (server != null) {
            server.close();
            daemon.close();
        }
    }

    private static JobStatus status(String job, boolean running) {
        return new JobStatus(
                job, running, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    private TlsTunnel as(String person) throws Exception {
        return new TlsTunnel(PersonTls.of(certificates.client(person)), port);
    }

    private static List<String> buttons(Chromium chromium) {
        return chromium.driver().findElements(By.cssSelector("main button")).stream()
                .map(button -> button.getAttribute("aria-label"))
                .toList();
    }

    @Test
    void buttonsDoWhatTheySayAndAreAccessible() throws Exception {
        try (TlsTunnel tunnel = as("alice");
                Chromium chromium = new Chromium(false, PHONE, 800)) {
            chromium.open("http://localhost:" + tunnel.port() + "/#/jobs");
            assertThat(buttons(chromium))
                    .containsExactly(
                            "Run now: nightly",
                            "Pause 24 h: nightly",
                            "Stop: going",
                            "Run now: waiting",
                            "Resume: waiting");
            assertThat(chromium.driver().findElement(By.id("main")).getText())
                    .contains("paused until 2026-03-03 12:00:00 UTC");
            assertThat(new AxeBuilder().analyze(chromium.driver()).getViolations())
                    .isEmpty();
            assertThat((Long) chromium.script("return document.documentElement.scrollWidth"))
                    .isLessThanOrEqualTo(PHONE);
            press(chromium, "Run now: nightly");
            press(chromium, "Pause 24 h: nightly");
            press(chromium, "Resume: waiting");
            button(chromium, "Stop: going").click();
            chromium.driver().switchTo().alert().dismiss();
            button(chromium, "Stop: going").click();
            chromium.driver().switchTo().alert().accept();
            awaitStatus(chromium, "Stop: going, asked for");
            assertThat(daemon.wishes())
                    .containsExactly(
                            "start nightly", "pause nightly 2026-03-03T12:00:00Z", "resume waiting", "stop going");
            chromium.open("http://localhost:" + tunnel.port() + "/#/runs");
            assertThat(chromium.driver().findElement(By.id("main")).getText()).contains("alice: stop job going");
            assertThat(chromium.complaints()).isEmpty();
        }
    }

    private static WebElement button(Chromium chromium, String label) {
        return chromium.driver().findElement(By.cssSelector("button[aria-label='" + label + "']"));
    }

    private static void press(Chromium chromium, String label) throws InterruptedException {
        button(chromium, label).click();
        awaitStatus(chromium, label + ", asked for");
    }

    private static void awaitStatus(Chromium chromium, String text) throws InterruptedException {
        chromium.awaitTrue("return document.getElementById('status').textContent === arguments[0]", text);
    }

    @Test
    void whatCouldNotBeDoneStandsBesideItsButtonAndWhoMayNothingHasNone() throws Exception {
        try (TlsTunnel tunnel = as("alice");
                Chromium chromium = new Chromium(true, 1000, 800)) {
            chromium.open("http://localhost:" + tunnel.port() + "/#/jobs");
            daemon.jobs(status("nightly", true));
            button(chromium, "Run now: nightly").click();
            chromium.awaitTrue(
                    "return [...document.querySelectorAll('[role=alert]')].some(each => each.textContent.includes(arguments[0]))",
                    "'nightly' runs already");
        }
        try (TlsTunnel tunnel = as("carol");
                Chromium chromium = new Chromium(true, 1000, 800)) {
            chromium.open("http://localhost:" + tunnel.port() + "/#/jobs");
            assertThat(buttons(chromium)).isEmpty();
        }
    }
}
