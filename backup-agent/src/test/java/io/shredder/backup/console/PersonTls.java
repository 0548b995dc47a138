// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.console;

import io.shredder.backup.wire.TlsFiles;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** TLS as whoever looks at a console speaks it. */
public final class PersonTls {

    private PersonTls() {}

    /** With a certificate. */
    public static SSLContext of(TlsFiles files) throws Exception {
        return context(files.authority(), files);
    }

    /** Without one. */
    public static SSLContext ofNobody(Path authority) throws Exception {
        return context(authority, null);
    }

    private static Certificate certificate(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static SSLContext context(Path authority, @Nullable TlsFiles own) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("authority", certificate(authority));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        KeyStore mine = KeyStore.getInstance("PKCS12");
        mine.load(null, null);
        if (own != null) {
            Certificate shown = certificate(own.certificate());
            String pem = Files.readString(own.key(), StandardCharsets.US_ASCII).replaceAll("-----[^-]+-----", "");
            mine.setKeyEntry(
                    "own",
                    KeyFactory.getInstance(shown.getPublicKey().getAlgorithm())
                            .generatePrivate(new PKCS8EncodedKeySpec(
                                    Base64.getMimeDecoder().decode(pem))),
                    new char[0],
                    new Certificate[] {shown});
        }
        keys.init(mine, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
