// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.remote;

import io.netty.handler.ssl.SslContext;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.home.Patience;
import io.shredder.backup.agent.dispersal.home.RemoteKeepers;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.util.UUID;

/** Ways to keepers for whoever has a certificate with the right to keep. */
public final class RemoteHomes implements RemoteKeepers {

    private final SslContext tls;
    private final Patience.Limits patience;

    /**
     * Reads the files.
     *
     * @throws IOException if they can't be used
     */
    public RemoteHomes(TlsFiles files) throws IOException {
        this(files, Patience.Limits.DEFAULT);
    }

    /** The same with another patience. */
    public RemoteHomes(TlsFiles files, Patience.Limits patience) throws IOException {
        this.tls = files.forClient();
        this.patience = patience;
    }

    @Override
    public KeeperHome at(String host, int port, UUID holder) {
        return new RemoteHome(new HostPort(host, port), tls, holder, patience);
    }
}
