// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.console;

import io.shredder.backup.monitoring.PageRequest;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.wire.ClientNames;
import io.shredder.backup.wire.HostPort;
import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whom the console lets in. On a loopback address: who names it so, since a page of elsewhere whose name was made to
 * mean this machine (DNS rebinding) has the browser send its own name. Elsewhere: who has a certificate, which TLS has
 * proved, with a name that the configuration has, unless it was revoked. Never requests that a page of another site has
 * caused.
 */
public final class Visitors {

    private static final Logger LOG = LoggerFactory.getLogger(Visitors.class);
    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-f:.]+]|[^:]+)(:[0-9]{1,5})?");
    /** The last number of a loopback address may be any; a name other than localhost may come to mean any address. */
    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[(::1|0:0:0:0:0:0:0:1)]");

    private static final int MOST_LOGGED = 100;

    /** A page of elsewhere may not set it without asking first, which is never answered. */
    private static final String ACTION_HEADER = "x-shredder-action";

    private static final Pattern ORIGIN = Pattern.compile("^https?://");

    private final Optional<People> people;
    private final Set<String> logged = new HashSet<>();

    /**
     * Who is let in by a certificate.
     *
     * @param names (CN) in their certificates
     * @param setting that has the names, in errors
     * @param revoked whether a certificate is not to be believed any more
     */
    public record People(Set<String> names, String setting, Predicate<X509Certificate> revoked) {

        /** Keeps a copy. */
        public People {
            names = Set.copyOf(names);
        }
    }

    /** @param people empty on a loopback address, where this machine's own users are let in */
    public Visitors(Optional<People> people) {
        this.people = people;
    }

    /** Whether only this machine's own users reach an address. */
    public static boolean isLoopback(HostPort listen) {
        String host = listen.host();
        return LOOPBACK.matcher(host.indexOf(':') < 0 ? host : "[" + host + "]").matches();
    }

    /** Why a request isn't answered; empty if it is. */
    Optional<Answer> refusal(PageRequest request) {
        String from = request.headers().getOrDefault("sec-fetch-site", "none");
        boolean opensThePage =
                request.headers().getOrDefault("sec-fetch-mode", "").equals("navigate");
        if (!from.equals("same-origin") && !from.equals("none") && !opensThePage) {
            return Optional.of(ApiSite.error(403, "a page of another site asked for this"));
        }
        return people.isPresent()
                ? stranger(people.get(), request)
                : elsewhere(request.headers().getOrDefault("host", ""));
    }

    /**
     * Who a request that was not refused is of, by the certificate; empty on a loopback address without one.
     */
    Optional<String> person(PageRequest request) {
        return people.isEmpty()
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
            return Optional.of(ApiSite.error(
                    403, "this is not asked by the console's own page: programs set the header " + ACTION_HEADER));
        }
        return Optional.empty();
    }

    private static Optional<Answer> elsewhere(String host) {
        Matcher parts = HOST.matcher(host.toLowerCase(Locale.ROOT));
        if (parts.matches() && LOOPBACK.matcher(parts.group(1)).matches()) {
            return Optional.empty();
        }
        return Optional.of(ApiSite.error(421, "this console is at localhost: call it by that name"));
    }

    private Optional<Answer> stranger(People known, PageRequest request) {
        String name;
        X509Certificate certificate;
        try {
            certificate = request.certificate().orElseThrow(IllegalArgumentException::new);
            name = ClientNames.of(certificate).value();
        } catch (IllegalArgumentException e) {
            return Optional.of(ApiSite.error(403, "the certificate has no name (CN) that can be used"));
        }
        if (known.revoked().test(certificate)) {
            return Optional.of(ApiSite.error(403, "the certificate of '" + name + "' was revoked"));
        } else if (known.names().contains(name)) {
            return Optional.empty();
        }
        if (logged.size() < MOST_LOGGED && logged.add(name)) {
            LOG.warn("the console refuses {}, whose certificate is good: it is not among '{}'", name, known.setting());
        }
        return Optional.of(ApiSite.error(403, "'" + name + "' is not among '" + known.setting() + "' of this daemon"));
    }
}
