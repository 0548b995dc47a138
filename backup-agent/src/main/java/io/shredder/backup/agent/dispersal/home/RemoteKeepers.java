// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import java.util.UUID;

/** Ways to keepers on other machines. Safe for any number of threads. */
@FunctionalInterface
public interface RemoteKeepers {

    /** None: nobody has said by which certificate. */
    RemoteKeepers NONE = (host, port, holder) -> {
        throw new IllegalArgumentException("keeper keep://" + host + ":" + port
                + " wants a certificate: name one with --keeper-cert, --keeper-key and --keeper-ca");
    };

    /**
     * The keeper that {@code backup-agent keep} offers there. Asks nothing yet.
     *
     * @param host name or address, without brackets
     * @param port 1 to 65535
     * @param holder who will hold it, always the same if others are kept out elsewhere, too
     * @throws IllegalArgumentException if none can be reached at all
     */
    KeeperHome at(String host, int port, UUID holder);
}
