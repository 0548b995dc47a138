// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.agent.access.AccessFile;
import io.shredder.backup.agent.access.RevokedCertificates;
import io.shredder.backup.agent.care.AgentCare;
import io.shredder.backup.agent.care.AgentCareConfig;
import io.shredder.backup.agent.catalogue.CatalogueEntry;
import io.shredder.backup.agent.net.AgentDaemon;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.schedule.JobStatus;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** An agent in this process whose clock jumps; small containers, so that a little data fills many. */
final class YearAgent implements AutoCloseable {

    private static final int CONTAINER_BYTES = 1 << 20;
    private static final int TABLE_ENTRIES = 256;
    private static final SnapshotName CLIENT = new SnapshotName("site1");

    private final Path root;
    private final Path certificates;
    private final Path rights;
    private final AgentCareConfig care;
    private final Clock clock;
    private final int port;
    private Repository repository;
    private AgentDaemon daemon;
    private AgentCare taken;
    private boolean up;

    YearAgent(Path root, Path certificates, Path rights, AgentCareConfig care, Clock clock) throws IOException {
        this.root = root;
        this.certificates = certificates;
        this.rights = rights;
        this.care = care;
        this.clock = clock;
        start(0);
        this.port = daemon.address().getPort();
    }

    private void start(int listen) throws IOException {
        repository = Repository.open(root, clock, CONTAINER_BYTES, TABLE_ENTRIES);
        daemon = AgentDaemon.start(
                repository,
                AccessFile.open(rights),
                RevokedCertificates.none(),
                new TlsFiles(
                        certificates.resolve("agent.crt"),
                        certificates.resolve("agent.key"),
                        certificates.resolve("ca.crt")),
                new InetSocketAddress("127.0.0.1", listen));
        taken = AgentCare.start(repository, root, care, clock);
        up = true;
    }

    int port() {
        return port;
    }

    boolean isUp() {
        return up;
    }

    /** It is up or down from now on. */
    void set(boolean wanted) throws IOException {
        if (wanted && !up) {
            start(port);
        } else if (!wanted && up) {
            close();
        }
    }

    void look() {
        if (up) {
            taken.look();
        }
    }

    List<JobStatus> status() {
        return up ? taken.status() : List.of();
    }

    /** When the agent received what it has of an image, by id: as its catalogue says, not as a client hears it. */
    Map<Long, Instant> received(String image) {
        Map<Long, Instant> all = new TreeMap<>();
        for (CatalogueEntry entry : repository.catalogue().list(CLIENT, 0).values()) {
            if (entry.name().value().equals(image)) {
                all.put(entry.id(), entry.received().orElseThrow());
            }
        }
        return all;
    }

    /** Digests of the lists of what it has of an image. */
    Set<Fingerprint> contents(String image) {
        try {
            Set<Fingerprint> all = new HashSet<>();
            for (CatalogueEntry entry : repository.catalogue().list(CLIENT, 0).values()) {
                if (entry.name().value().equals(image)) {
                    all.add(repository.catalogue().info(entry).orElseThrow().contentDigest());
                }
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        if (up) {
            up = false;
            taken.close();
            daemon.close();
            repository.close();
        }
    }
}
