// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.keep;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslProvider;
import io.shredder.backup.TestCertificates;
import io.shredder.backup.agent.access.AccessFile;
import io.shredder.backup.agent.access.RevokedCertificates;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.home.Patience;
import io.shredder.backup.agent.dispersal.remote.RemoteHomes;
import io.shredder.backup.wire.TlsFiles;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.net.ssl.SSLSocket;

/** Keepers of this process that are asked over the network, and certificates for them. One thread. */
public final class KeepSite implements Closeable {

    private static final String HOST = "127.0.0.1";
    private static final Patience.Limits PATIENCE = new Patience.Limits(Duration.ofSeconds(20), Duration.ofMillis(50));

    private final TestCertificates certificates;
    private final TlsFiles server;
    private final Path rights;
    private final Map<String, TlsFiles> clients = new HashMap<>();
    private final Map<String, RemoteHomes> homes = new HashMap<>();
    private final List<KeepDaemon> daemons = new ArrayList<>();
    private RevokedCertificates revoked = RevokedCertificates.none();
    private KeepLimits limits = KeepLimits.usual();

    /** Clients agent1 and agent2 may keep. */
    public KeepSite(Path folder) throws IOException {
        certificates = new TestCertificates(Files.createDirectories(folder).resolve("certs"));
        server = certificates.agent(HOST);
        rights = folder.resolve("keep-rights.yaml");
        allow("agent1", "agent2");
    }

    /** From now on these may keep, and client backup1 may back up. */
    public void allow(String... agents) throws IOException {
        StringBuilder text = new StringBuilder("clients:\n  backup1: {rights: [append, restore, prune]}\n");
        for (String agent : agents) {
            text.append("  ").append(agent).append(": {rights: [keep]}\n");
        }
        Files.writeString(rights, text.toString());
    }

    /** Revokes a client's certificate, for keepers that are started from now on and for those before. */
    void revoke(TlsFiles client) throws IOException {
        revoked = RevokedCertificates.open(certificates.revoke(client), client.authority());
    }

    void silence(Duration longest) {
        limits = limits.withSilence(longest);
    }

    /** The certificate of a client, always the same. */
    TlsFiles client(String name) throws IOException {
        TlsFiles known = clients.get(name);
        TlsFiles files = known != null ? known : certificates.client(name);
        clients.put(name, files);
        return files;
    }

    /** Offers a folder. */
    public KeepDaemon start(Path folder) throws IOException {
        return startAt(folder, 0);
    }

    /** Offers a folder at a port that was another one's. */
    public KeepDaemon startAt(Path folder, int port) throws IOException {
        KeepDaemon daemon = KeepDaemon.start(
                folder, AccessFile.open(rights), revoked, limits, server, new InetSocketAddress(HOST, port));
        daemons.add(daemon);
        return daemon;
    }

    /** Where a keeper is, for a client. */
    public KeeperHome home(KeepDaemon daemon, String client) throws IOException {
        return home(daemon, client, UUID.randomUUID());
    }

    public KeeperHome home(KeepDaemon daemon, String client, UUID holder) throws IOException {
        return homes(client).at(HOST, daemon.address().getPort(), holder);
    }

    /** Ways to all keepers, for a client. */
    public RemoteHomes homes(String client) throws IOException {
        RemoteHomes known = homes.get(client);
        RemoteHomes ways = known != null ? known : new RemoteHomes(client(client), PATIENCE);
        homes.put(client, ways);
        return ways;
    }

    /** A connection over which any bytes may be sent. */
    SSLSocket connect(KeepDaemon daemon, String client) throws IOException {
        JdkSslContext context = (JdkSslContext) client(client).forClient(SslProvider.JDK);
        SSLSocket socket = (SSLSocket) context.context()
                .getSocketFactory()
                .createSocket(HOST, daemon.address().getPort());
        socket.setSoTimeout(20_000);
        return socket;
    }

    @Override
    public void close() throws IOException {
        for (KeepDaemon daemon : daemons) {
            daemon.close();
        }
        daemons.clear();
    }
}
