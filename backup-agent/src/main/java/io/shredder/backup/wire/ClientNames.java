// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.shredder.backup.snapshot.SnapshotName;
import java.security.cert.X509Certificate;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/** Who a client is: the CN of its certificate's subject. */
public final class ClientNames {

    private ClientNames() {}

    /**
     * The name.
     *
     * @throws IllegalArgumentException if there is none that can be used
     */
    public static SnapshotName of(X509Certificate certificate) {
        String subject = certificate.getSubjectX500Principal().getName();
        try {
            for (Rdn part : new LdapName(subject).getRdns()) {
                if (part.getType().equalsIgnoreCase("CN")) {
                    return new SnapshotName(String.valueOf(part.getValue()));
                }
            }
        } catch (InvalidNameException e) {
            throw new IllegalArgumentException(subject, e);
        }
        throw new IllegalArgumentException("'" + subject + "' has none");
    }
}
