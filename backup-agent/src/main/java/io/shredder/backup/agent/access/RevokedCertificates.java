// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.access;

import io.shredder.backup.agent.file.FileStamp;
import java.io.IOException;
import java.io.InputStream;
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

    private final @Nullable Path file;
    private final @Nullable Path authority;
    private @Nullable X509CRL list;
    private String stamp = "";

    private RevokedCertificates(@Nullable Path file, @Nullable Path authority) {
        this.file = file;
        this.authority = authority;
    }

    /** Nothing is revoked. */
    public static RevokedCertificates none() {
        return new RevokedCertificates(null, null);
    }

    /**
     * Reads a list, which must be right.
     *
     * @param authority certificate of who must have signed it
     */
    public static RevokedCertificates open(Path file, Path authority) throws IOException {
        RevokedCertificates opened = new RevokedCertificates(file, authority);
        opened.stamp = FileStamp.of(file);
        opened.list = read(file, authority);
        return opened;
    }

    /** Whether this certificate of the authority's is on the list as it is now. */
    public boolean contains(X509Certificate certificate) {
        return contains(certificate.getSerialNumber());
    }

    /** The same by its serial number. */
    public synchronized boolean contains(BigInteger serial) {
        if (file == null || authority == null) {
            return false;
        }
        try {
            String now = FileStamp.of(file);
            if (!now.equals(stamp)) {
                stamp = now;
                list = read(file, authority);
                LOG.info("read the changed revocation list {}", file);
            }
        } catch (IOException e) {
            LOG.error("the revocation list stays as it was: {}", e.getMessage());
        }
        return list != null && list.getRevokedCertificate(serial) != null;
    }

    private static X509CRL read(Path file, Path authority) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                InputStream signer = Files.newInputStream(authority)) {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            X509CRL list = (X509CRL) factory.generateCRL(in);
            list.verify(factory.generateCertificate(signer).getPublicKey());
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
