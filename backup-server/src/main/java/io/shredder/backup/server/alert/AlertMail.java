// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import io.shredder.backup.server.config.MailConfig;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Date;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * An alert as a mail. One that is sent again has the same Message-ID, so that who got it twice can tell.
 *
 * @param config the way there
 * @param alert what it says
 * @param site who says so
 * @param id what is before the Message-ID's host
 */
record AlertMail(MailConfig config, Alert alert, String site, String id) implements Outgoing {

    private static final String TIME_LIMIT_MS = "20000";

    static AlertMail of(MailConfig config, Alert alert, String site) {
        return new AlertMail(config, alert, site, UUID.randomUUID().toString());
    }

    @Override
    public String host() {
        return config.server().host();
    }

    @Override
    public void send() throws IOException {
        Session session = Session.getInstance(properties());
        try (Transport way = session.getTransport(config.tls() == MailConfig.Tls.TLS ? "smtps" : "smtp")) {
            way.connect(
                    config.server().host(),
                    config.server().port(),
                    config.user().orElse(null),
                    password().orElse(null));
            MimeMessage message = message(session);
            way.sendMessage(message, message.getAllRecipients());
        } catch (MessagingException e) {
            throw new IOException(String.valueOf(e.getMessage()).strip(), e);
        }
    }

    private Properties properties() throws IOException {
        Properties properties = new Properties();
        try {
            for (String protocol : new String[] {"mail.smtp.", "mail.smtps."}) {
                for (String limit : new String[] {"connectiontimeout", "timeout", "writetimeout"}) {
                    properties.put(protocol + limit, TIME_LIMIT_MS);
                }
                properties.put(protocol + "ssl.checkserveridentity", "true");
                if (config.authority().isPresent()) {
                    properties.put(
                            protocol + "ssl.socketFactory",
                            trusting(config.authority().get()));
                }
                properties.put(protocol + "auth", String.valueOf(config.user().isPresent()));
            }
        } catch (GeneralSecurityException e) {
            throw new IOException("certificate " + config.authority().orElseThrow() + ": " + e.getMessage(), e);
        }
        if (config.tls() == MailConfig.Tls.STARTTLS) {
            properties.put("mail.smtp.starttls.enable", "true");
            properties.put("mail.smtp.starttls.required", "true");
        }
        return properties;
    }

    private static SSLSocketFactory trusting(Path authority) throws GeneralSecurityException, IOException {
        Collection<? extends java.security.cert.Certificate> certificates;
        try (InputStream in = Files.newInputStream(authority)) {
            certificates = CertificateFactory.getInstance("X.509").generateCertificates(in);
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null);
        int number = 0;
        for (java.security.cert.Certificate certificate : certificates) {
            store.setCertificateEntry("authority" + number++, (X509Certificate) certificate);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context.getSocketFactory();
    }

    /** Read anew each time, so that it may change. */
    private Optional<String> password() throws IOException {
        if (config.passwordFile().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(Files.readAllLines(config.passwordFile().get()).stream()
                .findFirst()
                .orElse(""));
    }

    private MimeMessage message(Session session) throws MessagingException {
        MimeMessage message = new MimeMessage(session) {
            @Override
            protected void updateMessageID() throws MessagingException {
                setHeader("Message-ID", "<" + id + "@" + config.from().replaceFirst(".*@", "") + ">");
            }
        };
        message.setFrom(new InternetAddress(config.from()));
        for (String to : config.to()) {
            message.addRecipient(Message.RecipientType.TO, new InternetAddress(to));
        }
        String of = alert.subject().isEmpty() ? "" : " " + alert.subject();
        message.setSubject(
                "[" + site + "] " + (alert.over() ? "recovered: " : "")
                        + alert.kind().word() + of,
                StandardCharsets.UTF_8.name());
        message.setSentDate(Date.from(alert.since()));
        message.setHeader("Auto-Submitted", "auto-generated");
        message.setText(text(), StandardCharsets.UTF_8.name());
        return message;
    }

    private String text() {
        return alert.line() + "\n\nMachine: " + site + "\nSince: " + alert.since() + "\nKind: "
                + alert.kind().word() + "\n";
    }
}
