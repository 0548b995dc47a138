// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.access;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.Date;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificates that are valid but not to be believed any more: an X.509 revocation list of the authority, in PEM or DER
 * form, read again when it has changed. If it is wrong then, the log says so and the list before it holds. Safe for any
 * number of threads.
 */
public final class RevokedCertificates {

    private static final Logger LOG = LoggerFactory.getLogger(RevokedCertificates.class);

    private final @Nullable FollowedFile<X509CRL> list;

    private RevokedCertificates(@Nullable FollowedFile<X509CRL> list) {
        this.list = list;
    }

    /** Nothing is revoked. */
    public static RevokedCertificates none() {
        return new RevokedCertificates(null);
    }

    /**
     * Reads a list, which must be right.
     *
     * @param authority certificate of who must have signed it
     */
    public static RevokedCertificates open(Path file, Path authority) throws IOException {
        return new RevokedCertificates(new FollowedFile<>(file, "revocation list", () -> read(file, authority)));
    }

    /** Whether this certificate of the authority's is on the list as it is now. */
    public boolean contains(X509Certificate certificate) {
        return contains(certificate.getSerialNumber());
    }

    /** The same by its serial number. */
    public boolean contains(BigInteger serial) {
        return list != null && list.current().getRevokedCertificate(serial) != null;
    }

    private static X509CRL read(Path file, Path authority) throws IOException {
        byte[] bytes = Files.readAllBytes(file); // Else an error of the disk would pass for one of the list.
        byte[] signer = Files.readAllBytes(authority);
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            X509CRL list = (X509CRL) factory.generateCRL(new ByteArrayInputStream(bytes));
            list.verify(factory.generateCertificate(new ByteArrayInputStream(signer))
                    .getPublicKey());
            Date due = list.getNextUpdate();
            if (due != null && due.toInstant().isBefore(Clock.systemUTC().instant())) {
                LOG.warn("revocation list {} should have been replaced by {}", file, due.toInstant());
            }
            return list;
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    file + " is not a revocation list signed by " + authority + " (" + e.getMessage()
                            + "): make one with 'backup-agent certs --revoke'",
                    e);
        }
    }
}
