// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.access;

import io.shredder.backup.snapshot.SnapshotName;
import java.math.BigInteger;
import java.util.Optional;

/**
 * The certificate that a client has shown. Rules and revocation list may change while its connection lasts; what can't
 * be undone asks again.
 *
 * @param client its CN
 * @param serial by which the authority's revocation list names it
 * @param standing what certificates are good for at any moment
 */
public record ShownCertificate(SnapshotName client, BigInteger serial, Standing standing) {

    /** What certificates are good for at any moment. Thread-safe. */
    @FunctionalInterface
    public interface Standing {
        /**
         * What a client may do by the rules of this moment; empty if it isn't let in, or its certificate is revoked.
         */
        Optional<ClientAccess> now(SnapshotName client, BigInteger serial);
    }

    /** Of a client whose rights can't change. */
    public static ShownCertificate fixed(ClientAccess access) {
        return new ShownCertificate(access.client(), BigInteger.ZERO, (client, serial) -> Optional.of(access));
    }

    /** What it is good for now. */
    public Optional<ClientAccess> now() {
        return standing.now(client, serial);
    }
}
