// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.nbd;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslProvider;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * Who may open an export.
 *
 * @param tls without it a client sees nothing but that TLS is required (FORCEDTLS), and its certificate must be signed
 *     by the authority; empty for whoever reaches the socket
 */
public record NbdAccess(Optional<SSLContext> tls) {

    /** Whoever reaches the socket. */
    public static NbdAccess ofSocket() {
        return new NbdAccess(Optional.empty());
    }

    /** Clients with a certificate. */
    public static NbdAccess byCertificates(TlsFiles files) throws IOException {
        return new NbdAccess(Optional.of(((JdkSslContext) files.forAgent(SslProvider.JDK)).context()));
    }
}
