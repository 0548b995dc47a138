// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.netty.channel.Channel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * Who a side is and whom it believes: three PEM files. Connections are TLS 1.3 with certificates on both sides, nothing
 * else.
 *
 * @param certificate of this side
 * @param key its private key, PKCS#8, not encrypted
 * @param authority the certificate that must have signed the peer's
 */
public record TlsFiles(Path certificate, Path key, Path authority) {

    private static final Set<PosixFilePermission> FORBIDDEN =
            Set.of(PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE, PosixFilePermission.GROUP_WRITE);

    private static final Pattern PRIVATE_KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");

    private static final Pattern COMMON_NAME = Pattern.compile("(?:^|,)CN=([^,+]+)");

    /**
     * Netty puts the key into a key store of this type, and takes it out again. The usual type would encrypt it for
     * that, by ten thousand rounds of SHA-256 that nothing has compiled yet when a command starts.
     */
    private static final String KEPT_IN_MEMORY = "JKS";

    /** Accepts connections; the peer must show a certificate. */
    public SslContext forAgent() throws IOException {
        return forAgent(provider());
    }

    /** The same by one implementation of TLS. */
    public SslContext forAgent(SslProvider provider) throws IOException {
        checkFiles();
        try {
            return restricted(
                    provider,
                    SslContextBuilder.forServer(readKey(parse(certificate)), parse(certificate))
                            .clientAuth(ClientAuth.REQUIRE));
        } catch (SSLException | GeneralSecurityException | IllegalArgumentException e) {
            throw unusable(e);
        }
    }

    /** Opens connections; shows its certificate. */
    public SslContext forClient() throws IOException {
        return forClient(provider());
    }

    /** The same by one implementation of TLS. */
    public SslContext forClient(SslProvider provider) throws IOException {
        checkFiles();
        try {
            return restricted(
                    provider,
                    SslContextBuilder.forClient().keyManager(readKey(parse(certificate)), parse(certificate)));
        } catch (SSLException | GeneralSecurityException | IllegalArgumentException e) {
            throw unusable(e);
        }
    }

    /** For one connection to a peer, whose certificate must name the host. */
    public static SslHandler clientHandler(SslContext context, Channel channel, HostPort peer, Duration handshake) {
        SslHandler handler = context.newHandler(channel.alloc(), peer.host(), peer.port());
        handler.setHandshakeTimeoutMillis(handshake.toMillis());
        SSLParameters parameters = handler.engine().getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        handler.engine().setSSLParameters(parameters);
        return handler;
    }

    /** BoringSSL where it runs: Java's own needs seconds of compilation before it is as fast. */
    private static SslProvider provider() {
        return OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;
    }

    private SslContext restricted(SslProvider provider, SslContextBuilder builder) throws IOException {
        return builder.sslProvider(provider)
                .protocols("TLSv1.3")
                .keyStoreType(KEPT_IN_MEMORY)
                .trustManager(parse(authority))
                .build();
    }

    /** When this side's certificate ends. */
    public Instant certificateEnds() throws IOException {
        return parse(certificate).getNotAfter().toInstant();
    }

    /** Who this side is: the CN of its certificate; empty if it has none. */
    public String commonName() throws IOException {
        Matcher name =
                COMMON_NAME.matcher(parse(certificate).getSubjectX500Principal().getName());
        return name.find() ? name.group(1) : "";
    }

    private void checkFiles() throws IOException {
        checkReadable("certificate", certificate);
        checkReadable("private key", key);
        checkReadable("authority's certificate", authority);
        checkDates(certificate);
        checkDates(authority);
        checkPair();
        checkPrivate();
    }

    /** A key that isn't the certificate's would only fail in every handshake, far from here. */
    private void checkPair() throws IOException {
        PublicKey shown = parse(certificate).getPublicKey();
        String algorithm = shown.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
        byte[] probe = certificate.toString().getBytes(StandardCharsets.UTF_8);
        boolean pair;
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(readKey(parse(certificate)));
            signature.update(probe);
            byte[] signed = signature.sign();
            signature.initVerify(shown);
            signature.update(probe);
            pair = signature.verify(signed);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw unusable(e);
        }
        if (!pair) {
            throw new IOException(key + " is not the private key of certificate " + certificate
                    + ": name the two that 'backup-agent certs' made together");
        }
    }

    private PrivateKey readKey(X509Certificate shown) throws IOException, GeneralSecurityException {
        Matcher pem = PRIVATE_KEY.matcher(Files.readString(key, StandardCharsets.ISO_8859_1));
        if (!pem.find()) {
            throw new IOException(key + " is not a private key in PEM form (PKCS#8, not encrypted):"
                    + " make one with 'backup-agent certs'");
        }
        byte[] der = Base64.getMimeDecoder().decode(pem.group(1));
        return KeyFactory.getInstance(shown.getPublicKey().getAlgorithm())
                .generatePrivate(new PKCS8EncodedKeySpec(der));
    }

    private static void checkReadable(String what, Path file) throws IOException {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new IOException("can't read the " + what + " " + file
                    + ": make certificates with 'backup-agent certs', and name them with --cert, --key and --ca");
        }
    }

    /** A group may read it, so that a service's group can be given it; nobody else. */
    private void checkPrivate() throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(key);
        permissions.retainAll(FORBIDDEN);
        if (!permissions.isEmpty()) {
            throw new IOException("private key " + key + " may be read or written by others: chmod 600 " + key
                    + ", and make a new one with 'backup-agent certs' if it may have been copied");
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
