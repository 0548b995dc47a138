// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import io.shredder.backup.config.ConfigSection;
import io.shredder.backup.wire.HostPort;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Who gets alerts by mail, and which server takes it.
 *
 * @param to at least one address
 * @param from whom it is from
 * @param server of SMTP
 * @param tls how the way there is sealed
 * @param authority certificate of the authority that the server's is signed by; Java's own authorities if empty
 * @param user at the server, if it wants to know one
 * @param passwordFile the user's password, alone on the first line
 */
public record MailConfig(
        List<String> to,
        String from,
        HostPort server,
        Tls tls,
        Optional<Path> authority,
        Optional<String> user,
        Optional<Path> passwordFile) {

    private static final Pattern ADDRESS = Pattern.compile("[\\w.+=~-]{1,64}@[A-Za-z0-9.-]{1,253}");

    /** How the way to the server is sealed. */
    public enum Tls {
        /** Begun in the clear and sealed before anything is said; refused if the server doesn't. */
        STARTTLS,
        /** From the first byte. */
        TLS,
        /** Not at all: for a server on this machine. */
        NONE;

        static Tls parse(String text) {
            return Arrays.stream(values())
                    .filter(kind -> kind.name().toLowerCase(Locale.ROOT).equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("'" + text + "': use starttls, tls or none"));
        }
    }

    /** Keeps a copy. */
    public MailConfig {
        to = List.copyOf(to);
    }

    static MailConfig read(ConfigSection mail, Path folder) {
        MailConfig config = new MailConfig(
                mail.list("to", MailConfig::address, "ops@example.org").orElse(List.of()),
                mail.required("from", MailConfig::address, "x@localhost"),
                mail.required("server", HostPort::parse, new HostPort("localhost", 1)),
                mail.value("tls", Tls::parse, Tls.STARTTLS),
                mail.optional("authority", folder::resolve),
                mail.optional("user", text -> text),
                mail.optional("password-file", folder::resolve));
        if (config.to.isEmpty()) {
            mail.problem("'to' names nobody: write [ops@example.org]");
        }
        if (config.user.isPresent() != config.passwordFile.isPresent()) {
            mail.problem("'user' and 'password-file' go together");
        } else if (config.user.isPresent() && config.tls == Tls.NONE) {
            mail.problem("tls", "a password goes to nobody in the clear: use starttls or tls");
        }
        mail.finish();
        return config;
    }

    private static String address(String text) {
        if (!ADDRESS.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is not an address such as ops@example.org");
        }
        return text;
    }
}
