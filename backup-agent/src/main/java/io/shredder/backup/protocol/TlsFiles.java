// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.protocol;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import javax.net.ssl.SSLException;

/**
 * Who a side is and whom it believes: three PEM files. Connections are TLS 1.3 with certificates on both sides, nothing else.
 *
 * @param certificate of this side
 * @param key its private key, PKCS#8, not encrypted
 * @param authority the certificate that must have signed the peer's
 */
public record TlsFiles(Path certificate, Path key, Path authority) {

    /** Accepts connections; the peer must show a certificate. */
    public SslContext forAgent() throws IOException {
        checkFiles();
        try {
            return restricted(SslContextBuilder.forServer(certificate.toFile(), key.toFile())
                    .clientAuth(ClientAuth.REQUIRE));
        } catch (SSLException | IllegalArgumentException e) {
            throw unusable(e);
        }
    }

    /** Opens connections; shows its certificate. */
    public SslContext forClient() throws IOException {
        checkFiles();
        try {
            return restricted(SslContextBuilder.forClient().keyManager(certificate.toFile(), key.toFile()));
        } catch (SSLException | IllegalArgumentException e) {
            throw unusable(e);
        }
    }

    private SslContext restricted(SslContextBuilder builder) throws SSLException {
        return builder.sslProvider(SslProvider.JDK)
                .protocols("TLSv1.3")
                .trustManager(authority.toFile())
                .build();
    }

    private void checkFiles() throws IOException {
        checkReadable("certificate", certificate);
        checkReadable("private key", key);
        checkReadable("authority's certificate", authority);
        checkDates(certificate);
        checkDates(authority);
    }

    private static void checkReadable(String what, Path file) throws IOException {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new IOException("can't read the " + what + " " + file
                    + ": make certificates with 'backup-agent certs', and name them with --cert, --key and --ca");
        }
    }

    private static void checkDates(Path file) throws IOException {
        X509Certificate parsed = parse(file);
        if (Clock.systemUTC().instant().isAfter(parsed.getNotAfter().toInstant())) {
            throw new IOException("certificate " + file + " expired on "
                    + parsed.getNotAfter().toInstant() + ": make a new one with 'backup-agent certs'");
        }
    }

    private static X509Certificate parse(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        } catch (CertificateException e) {
            throw new IOException(file + " is not a certificate in PEM form: " + e.getMessage(), e);
        }
    }

    private IOException unusable(Exception e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return new IOException(
                "can't use certificate " + certificate + " with key " + key + ": " + cause.getMessage(), e);
    }
}
