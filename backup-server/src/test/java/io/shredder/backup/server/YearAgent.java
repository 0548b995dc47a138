// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.agent.access.AccessFile;
import io.shredder.backup.agent.access.RevokedCertificates;
import io.shredder.backup.agent.care.AgentCare;
import io.shredder.backup.agent.care.AgentCareConfig;
import io.shredder.backup.agent.catalogue.CatalogueEntry;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerHeads;
import io.shredder.backup.agent.net.AgentDaemon;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.schedule.JobStatus;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

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
    private Map<Integer, Long> copied = Map.of();

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

    boolean look() {
        return up && taken.look();
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

    /** All its snapshots, as commands name them. */
    List<String> names() {
        return repository.catalogue().list(CLIENT, 0).values().stream()
                .map(entry -> entry.name().value() + "@" + entry.id())
                .toList();
    }

    /** The digest of the list of a snapshot that it has. */
    Fingerprint content(String name) throws IOException {
        long id = Long.parseLong(name.substring(name.indexOf('@') + 1));
        CatalogueEntry entry = repository.catalogue().list(CLIENT, 0).values().stream()
                .filter(each -> each.id() == id)
                .findFirst()
                .orElseThrow();
        return repository.catalogue().info(entry).orElseThrow().contentDigest();
    }

    /** Where something is damaged: a place of a container, or all of it. */
    record Place(String file, int container, OptionalInt offset) {}

    /** What is there now may be damaged from now on. */
    void noteCopied() throws IOException {
        copied = Map.copyOf(repository.chunks().containers().sizes());
    }

    /** Damages what holds some chunk that was there when {@link #noteCopied} was called; empty if nothing is left. */
    Optional<Place> damage(Random random, boolean whole) throws IOException {
        List<ChunkLocation> there = new ArrayList<>();
        repository.chunks().index().forEach((fingerprint, at) -> {
            boolean old = at.offset() < copied.getOrDefault(at.container(), 0L);
            if (old && !(whole && repository.chunks().mayGrow(at.container()))) {
                there.add(at);
            }
        });
        if (there.isEmpty()) {
            return Optional.empty();
        }
        there.sort(Comparator.comparingInt(ChunkLocation::container).thenComparingInt(ChunkLocation::offset));
        ChunkLocation at = there.get(random.nextInt(there.size()));
        String name = repository.chunks().containers().name(at.container());
        Path file = root.resolve(name);
        if (whole) {
            Files.delete(file);
            return Optional.of(new Place(name, at.container(), OptionalInt.empty()));
        }
        int offset = at.offset() + random.nextInt((int) ContainerHeads.recordBytes(at.storedBytes()));
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(offset);
            int before = bytes.read();
            bytes.seek(offset);
            bytes.write(before ^ (1 << random.nextInt(Byte.SIZE)));
        }
        return Optional.of(new Place(name, at.container(), OptionalInt.of(offset)));
    }

    /** Whether its index still has something at a place. */
    boolean pointsTo(Place place) throws IOException {
        AtomicBoolean found = new AtomicBoolean();
        repository.chunks().index().forEach((fingerprint, at) -> {
            boolean here = at.container() == place.container();
            long end = at.offset() + ContainerHeads.recordBytes(at.storedBytes());
            int offset = place.offset().orElse(at.offset());
            if (here && at.offset() <= offset && offset < end) {
                found.set(true);
            }
        });
        return found.get();
    }

    /** What its own verification knows to be damaged. */
    List<String> problems() {
        return taken.standing().stream()
                .flatMap(care -> care.turn().stream())
                .flatMap(turn -> turn.open().values().stream())
                .flatMap(List::stream)
                .toList();
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
