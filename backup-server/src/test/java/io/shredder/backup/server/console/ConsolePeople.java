// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import io.shredder.backup.agent.certs.CertificateMaker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;

/** Who asks a console in tests, and by what a request of its own page is known. */
final class ConsolePeople {

    static final Map<String, String> OWN_PAGE = Map.of(
            "host", "site1.example:7425",
            "origin", "https://site1.example:7425",
            "sec-fetch-site", "same-origin",
            "sec-fetch-mode", "cors",
            "content-type", "application/json",
            "x-shredder-action", "1");

    static final X509Certificate ALICE = certificate("alice");
    static final X509Certificate BOB = certificate("bob");

    private ConsolePeople() {}

    private static X509Certificate certificate(String name) {
        CertificateMaker maker = new CertificateMaker(Clock.systemUTC(), Duration.ofDays(1));
        try {
            return maker.client(maker.authority(), name).certificate();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
