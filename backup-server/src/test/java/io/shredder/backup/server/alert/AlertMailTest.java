// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.shredder.backup.server.config.AlertConfig;
import io.shredder.backup.server.config.AlertForm;
import io.shredder.backup.server.config.MailConfig;
import io.shredder.backup.wire.HostPort;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mail by real servers of SMTP, sealed and not. */
class AlertMailTest {

    private static final Instant SINCE = Instant.parse("2026-03-01T05:00:00Z");
    private static final String WORD = "changeit";

    @TempDir
    private static Path certificates;

    @TempDir
    private Path folder;

    private GreenMail server;

    @BeforeAll
    static void makeCertificate() throws Exception {
        Path store = certificates.resolve("server.p12");
        keytool(
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-validity",
                "30",
                "-ext",
                "san=dns:localhost",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString());
        keytool(
                "-exportcert",
                "-rfc",
                "-alias",
                "server",
                "-file",
                certificates.resolve("ca.pem").toString(),
                "-keystore",
                store.toString());
        System.setProperty("greenmail.tls.keystore.file", store.toString());
        System.setProperty("greenmail.tls.keystore.password", WORD);
    }

    private static void keytool(String... words) throws Exception {
        List<String> command = new java.util.ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin/keytool").toString()));
        command.addAll(List.of(words));
        command.addAll(List.of("-storepass", WORD));
        assertThat(new ProcessBuilder(command).redirectErrorStream(true).start().waitFor())
                .isZero();
    }

    @BeforeEach
    void start() {
        server = new GreenMail(new ServerSetup[] {
            new ServerSetup(0, "localhost", ServerSetup.PROTOCOL_SMTP),
            new ServerSetup(0, "localhost", ServerSetup.PROTOCOL_SMTPS)
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    private MailConfig config(MailConfig.Tls tls, Optional<String> user) throws IOException {
        int port = tls == MailConfig.Tls.TLS
                ? server.getSmtps().getPort()
                : server.getSmtp().getPort();
        return new MailConfig(
                List.of("ops@example.org", "more@example.org"),
                "shredder@site1.example.org",
                new HostPort("localhost", port),
                tls,
                Optional.of(certificates.resolve("ca.pem")),
                user,
                user.isPresent()
                        ? Optional.of(Files.writeString(folder.resolve("password"), "secret word\n"))
                        : Optional.empty());
    }

    private static Alert alert(AlertKind kind) {
        return new Alert(kind, "nightly/vm", "no route\nto höst", SINCE, false);
    }

    @Test
    void aMailSaysWhatIsWrongAndWhatToDo() throws Exception {
        AlertMail.of(config(MailConfig.Tls.NONE, Optional.empty()), alert(AlertKind.IMAGE_FAILED), "site1")
                .send();
        MimeMessage[] got = server.getReceivedMessages();
        assertThat(got).hasSize(2);
        assertThat(got[0].getSubject()).isEqualTo("[site1] image-failed nightly/vm");
        assertThat(got[0].getContent().toString())
                .contains("no route")
                .contains("höst")
                .contains(AlertKind.IMAGE_FAILED.remedy())
                .contains(SINCE.toString());
        assertThat(got[0].getHeader("Auto-Submitted")).containsExactly("auto-generated");
        assertThat(got[0].getMessageID()).endsWith("@site1.example.org>");
    }

    @Test
    void theWayIsSealedAndTheServerKnown() throws Exception {
        server.setUser("ops@example.org", "site1", "secret word");
        MailConfig sealed = config(MailConfig.Tls.TLS, Optional.of("site1"));
        AlertMail.of(sealed, alert(AlertKind.DAMAGE_FOUND), "site1").send();
        assertThat(server.getReceivedMessages()).hasSize(2);
        MailConfig stranger = new MailConfig(
                sealed.to(),
                sealed.from(),
                sealed.server(),
                sealed.tls(),
                Optional.empty(),
                sealed.user(),
                sealed.passwordFile());
        assertThatThrownBy(() -> AlertMail.of(stranger, alert(AlertKind.DAMAGE_FOUND), "site1")
                        .send())
                .isInstanceOf(IOException.class);
        assertThat(server.getReceivedMessages()).hasSize(2);
    }

    @Test
    void nothingIsSaidInTheClearToWhoDoesNotSeal() throws Exception {
        MailConfig wanted = config(MailConfig.Tls.STARTTLS, Optional.empty());
        assertThatThrownBy(() -> AlertMail.of(wanted, alert(AlertKind.IMAGE_FAILED), "site1")
                        .send())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("STARTTLS");
        assertThat(server.getReceivedMessages()).isEmpty();
    }

    @Test
    void eachKindIsToldWhenItBeginsAndWhenItEnds() throws Exception {
        AlertConfig targets = new AlertConfig(
                Optional.empty(),
                AlertForm.JSON,
                Optional.of(config(MailConfig.Tls.NONE, Optional.empty())),
                Optional.empty(),
                Optional.empty(),
                Duration.ofDays(7));
        AlertSite site = new AlertSite(targets, Map.of(), Map.of(), Set.of(), Instant.MAX);
        try (AlertSender sender = AlertSender.ofAlerts(Duration.ofMillis(20))) {
            AlertBook book = AlertBook.open(
                    folder,
                    Clock.systemUTC(),
                    alert -> sender.add(AlertMail.of(site.targets().mail().orElseThrow(), alert, "site1")));
            for (AlertKind kind : AlertKind.values()) {
                book.raise(kind, "subject", "what");
                book.end(kind, "subject");
            }
        }
        int each = 2 * targets.mail().orElseThrow().to().size();
        assertThat(server.getReceivedMessages()).hasSize(each * AlertKind.values().length);
        List<String> subjects = new java.util.ArrayList<>();
        for (MimeMessage message : server.getReceivedMessages()) {
            subjects.add(message.getSubject());
        }
        for (AlertKind kind : AlertKind.values()) {
            assertThat(subjects)
                    .filteredOn(subject -> subject.endsWith(kind.word() + " subject"))
                    .hasSize(each);
        }
    }

    @Test
    void aServerThatIsAwayGetsItsMailLater() throws Exception {
        MailConfig config = config(MailConfig.Tls.NONE, Optional.empty());
        server.stop();
        try (AlertSender sender = AlertSender.ofAlerts(Duration.ofMillis(50))) {
            sender.add(AlertMail.of(config, alert(AlertKind.IMAGE_SILENT), "site1"));
            Thread.sleep(500);
            server = new GreenMail(new ServerSetup(config.server().port(), "localhost", ServerSetup.PROTOCOL_SMTP));
            server.start();
            assertThat(server.waitForIncomingEmail(20_000, 1)).isTrue();
        }
    }
}
