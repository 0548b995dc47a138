// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import java.io.IOException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;

/** The names that a certificate is good for. */
final class HostNames {

    private static final int DNS = 2;
    private static final int ADDRESS = 7;

    private HostNames() {}

    /** The first of them. */
    static String firstOf(X509Certificate certificate) throws IOException {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return (names == null ? List.<List<?>>of() : names)
                    .stream()
                            .filter(name ->
                                    name.get(0).equals(DNS) || name.get(0).equals(ADDRESS))
                            .map(name -> name.get(1).toString())
                            .findFirst()
                            .orElseThrow(() -> new IOException(
                                    "the agent's certificate names no host: say with --address how it is called"));
        } catch (CertificateParsingException e) {
            throw new IOException("can't read the names of the agent's certificate: " + e.getMessage(), e);
        }
    }
}
