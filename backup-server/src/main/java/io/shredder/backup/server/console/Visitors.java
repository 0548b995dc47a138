// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import io.shredder.backup.monitoring.PageRequest;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.server.config.ConsoleConfig;
import io.shredder.backup.wire.ClientNames;
import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whom the console lets in. On a loopback address: who names it so, since a page of elsewhere whose name was made to
 * mean this machine (DNS rebinding) has the browser send its own name. Elsewhere: who has a certificate, which TLS has
 * proved, with a name that the configuration has. Never requests that a page of another site has caused.
 */
final class Visitors {

    private static final Logger LOG = LoggerFactory.getLogger(Visitors.class);
    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-f:.]+]|[^:]+)(:[0-9]{1,5})?");
    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[(::1|0:0:0:0:0:0:0:1)]");
    private static final int MOST_LOGGED = 100;

    /** A page of elsewhere may not set it without asking first, which is never answered. */
    private static final String ACTION_HEADER = "x-shredder-action";

    private static final Pattern ORIGIN = Pattern.compile("^https?://");

    private final ConsoleConfig config;
    private final Set<String> logged = new HashSet<>();

    Visitors(ConsoleConfig config) {
        this.config = config;
    }

    /** Why a request isn't answered; empty if it is. */
    Optional<Answer> refusal(PageRequest request) {
        String from = request.headers().getOrDefault("sec-fetch-site", "none");
        boolean opensThePage =
                request.headers().getOrDefault("sec-fetch-mode", "").equals("navigate");
        if (!from.equals("same-origin") && !from.equals("none") && !opensThePage) {
            return Optional.of(ConsoleSite.error(403, "a page of another site asked for this"));
        }
        return config.access().isPresent()
                ? stranger(config.access().get(), request)
                : elsewhere(request.headers().getOrDefault("host", ""));
    }

    /**
     * Who a request that was not refused is of, by the certificate; empty on a loopback address without one.
     */
    Optional<String> person(PageRequest request) {
        return config.access().isEmpty()
                ? Optional.empty()
                : request.certificate()
                        .map(certificate -> ClientNames.of(certificate).value());
    }

    /**
     * Why a request that is to change something isn't heard. A browser shows a person's certificate whatever page has
     * it ask: so only what the console's own page can send counts, which sets a header that others may not set, and
     * whose origin is this one.
     */
    static Optional<Answer> forged(PageRequest request) {
        Map<String, String> headers = request.headers();
        String origin = headers.getOrDefault("origin", "");
        boolean ownOrigin =
                origin.isEmpty() || ORIGIN.matcher(origin).replaceFirst("").equals(headers.get("host"));
        boolean ownPage = headers.getOrDefault("sec-fetch-site", "same-origin").equals("same-origin");
        if (!ownOrigin || !ownPage || !headers.containsKey(ACTION_HEADER)) {
            return Optional.of(ConsoleSite.error(
                    403, "this is not asked by the console's own page: programs set the header " + ACTION_HEADER));
        }
        return Optional.empty();
    }

    private static Optional<Answer> elsewhere(String host) {
        Matcher parts = HOST.matcher(host.toLowerCase(Locale.ROOT));
        if (parts.matches() && LOOPBACK.matcher(parts.group(1)).matches()) {
            return Optional.empty();
        }
        return Optional.of(ConsoleSite.error(421, "this console is at localhost: call it by that name"));
    }

    private Optional<Answer> stranger(ConsoleConfig.Access access, PageRequest request) {
        String name;
        try {
            X509Certificate certificate = request.certificate().orElseThrow(IllegalArgumentException::new);
            name = ClientNames.of(certificate).value();
        } catch (IllegalArgumentException e) {
            return Optional.of(ConsoleSite.error(403, "the certificate has no name (CN) that can be used"));
        }
        if (access.people().contains(name)) {
            return Optional.empty();
        }
        if (logged.size() < MOST_LOGGED && logged.add(name)) {
            LOG.warn("the console refuses {}, whose certificate is good: it is not among 'console.people'", name);
        }
        return Optional.of(ConsoleSite.error(403, "'" + name + "' is not among 'console.people' of this daemon"));
    }
}
