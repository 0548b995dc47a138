// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.Right;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerHeads;
import io.shredder.backup.agent.container.ContainerReader;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.powerloss.RecordedFiles;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.AgentRoute;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A repository in this process, with containers and tables so small that a few kilobytes fill many, for clients that
 * ask without a network. The disk is asked for nothing when files are forced.
 */
public final class SmallRepository implements Closeable {

    /** Under the folder that is opened; the index's key lies beside it. */
    public static final String NAME = "repo";

    private static final int CONTAINER_BYTES = 40_000;
    private static final int TABLE_ENTRIES = 24;
    private static final long QUOTA = 1L << 40;

    private final Repository repository;
    private final List<SessionRoute> routes = new ArrayList<>();

    /** Where the record of a chunk's region lies. */
    public record Place(String file, int offset, int bytes) {}

    private SmallRepository(Repository repository) {
        this.repository = repository;
    }

    /** Opens or makes the repository in a folder. */
    public static SmallRepository open(Path folder) throws IOException {
        Files.createDirectories(folder);
        Path recorded = new RecordedFiles(folder).root().resolve(NAME);
        return new SmallRepository(Repository.open(recorded, Clock.systemUTC(), CONTAINER_BYTES, TABLE_ENTRIES));
    }

    /** A way for a client with all rights and a quota, in a namespace of its own name; closed with the repository. */
    public AgentRoute route(String client) {
        SnapshotName name = new SnapshotName(client);
        ClientAccess access =
                new ClientAccess(name, name, EnumSet.allOf(Right.class), OptionalLong.of(QUOTA), Duration.ZERO);
        SessionRoute route = new SessionRoute(repository, access);
        routes.add(route);
        return route;
    }

    /** Where each chunk is that the index has, by files' names under the repository's folder. */
    public Map<Fingerprint, Place> places() throws IOException {
        Map<Fingerprint, Place> places = new HashMap<>();
        repository.chunks().index().forEach((chunk, location) -> places.put(chunk, place(location)));
        return places;
    }

    private Place place(ChunkLocation at) {
        return new Place(repository.chunks().containers().name(at.container()), at.offset(), (int)
                ContainerHeads.recordBytes(at.storedBytes()));
    }

    /** Whether a chunk's region can be read, whole. */
    public boolean has(Fingerprint chunk) throws IOException {
        try (ContainerReader reader = repository.chunks().newReader()) {
            return repository.chunks().read(chunk, reader).isPresent();
        } catch (DamagedDataException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        try (repository) {
            for (SessionRoute route : routes) {
                route.close();
            }
        }
    }
}
