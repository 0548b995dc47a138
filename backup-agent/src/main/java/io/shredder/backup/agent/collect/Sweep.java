// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import com.google.common.collect.Lists;
import io.shredder.backup.agent.audit.AuditLog;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerHeads;
import io.shredder.backup.agent.container.ContainerReader;
import io.shredder.backup.agent.file.SpaceReserve;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Empties containers and deletes them. The order makes it safe: a file goes only after its living chunks are durable
 * elsewhere and the index durably points to none of the others.
 */
final class Sweep {

    private static final int BATCH = 4096;

    private final CollectionGate gate;
    private final CollectedChunks chunks;
    private final AuditLog audit;
    private final SpaceReserve reserve;
    private final ChunkMarks marks;
    private long freedBytes;
    private long copiedBytes;
    private int deletedContainers;

    /** A container whose living chunks have been copied out, and what nothing needed by then. */
    private record Emptied(int container, List<ContainerHeads.Entry> dead, long copiedBytes) {}

    Sweep(CollectionGate gate, CollectedChunks chunks, AuditLog audit, SpaceReserve reserve, ChunkMarks marks) {
        this.gate = gate;
        this.chunks = chunks;
        this.audit = audit;
        this.reserve = reserve;
        this.marks = marks;
    }

    /** Sweeps some containers together. One that is damaged where it lives is left as it is, and reported. */
    void containers(List<Integer> group, List<String> problems) throws IOException {
        List<Emptied> emptied = new ArrayList<>();
        try (ContainerReader reader = new ContainerReader(chunks.containers())) {
            for (int container : group) {
                try {
                    emptied.add(copyOut(container, reader));
                } catch (DamagedDataException e) {
                    problems.add(e.getMessage() + ": left as it is; run verify");
                }
            }
            reserve.withRoom(chunks::sync);
            for (Emptied each : emptied) {
                forgetDead(each, reader);
            }
        }
        reserve.withRoom(chunks::sync);
        // Once more: damage in the log's last commit can't be told from a crash, and would bring back what it removes.
        reserve.withRoom(chunks::sync);
        for (Emptied each : emptied) {
            delete(each);
        }
        reserve.fill();
    }

    private Emptied copyOut(int container, ContainerReader reader) throws IOException {
        reserve.withRoom(() -> chunks.leave(container));
        List<ContainerHeads.Entry> dead = new ArrayList<>();
        long before = copiedBytes;
        for (ContainerHeads.Entry entry : indexedHere(container)) {
            if (marks.isLive(entry.location())) {
                copy(entry, reader);
            } else {
                dead.add(entry);
            }
        }
        return new Emptied(container, dead, copiedBytes - before);
    }

    private void copy(ContainerHeads.Entry entry, ContainerReader reader) throws IOException {
        if (!movedWithOthers(entry)) {
            StoredRegion region = read(entry, reader);
            reserve.withRoom(() -> chunks.move(region, entry.location().position()));
            copiedBytes += ContainerHeads.recordBytes(entry.location().storedBytes());
        }
    }

    /** Whether its region has been copied for another chunk, or a backup has brought it again. */
    private boolean movedWithOthers(ContainerHeads.Entry entry) throws IOException {
        return chunks.index()
                .find(entry.fingerprint())
                .filter(entry.location()::equals)
                .isEmpty();
    }

    private StoredRegion read(ContainerHeads.Entry entry, ContainerReader reader) throws IOException {
        try {
            return reader.read(entry.fingerprint(), entry.location());
        } catch (DamagedDataException e) {
            chunks.damaged(entry.fingerprint(), entry.location());
            throw e;
        }
    }

    /**
     * The container's chunks that the index has nowhere else. Where heads are damaged, or the container is missing, the
     * index alone says what is here.
     */
    private List<ContainerHeads.Entry> indexedHere(int container) throws IOException {
        List<ContainerHeads.Entry> here = new ArrayList<>();
        List<ContainerHeads.Entry> heads;
        try {
            heads = ContainerHeads.read(chunks.containers(), container);
        } catch (DamagedDataException | NoSuchFileException e) {
            chunks.index().forEach((fingerprint, location) -> {
                if (location.container() == container) {
                    here.add(new ContainerHeads.Entry(fingerprint, location));
                }
            });
            return here;
        }
        for (List<ContainerHeads.Entry> batch : Lists.partition(heads, BATCH)) {
            List<Fingerprint> asked =
                    batch.stream().map(ContainerHeads.Entry::fingerprint).toList();
            List<Optional<ChunkLocation>> found = chunks.index().findAll(asked);
            for (int i = 0; i < batch.size(); i++) {
                if (found.get(i).filter(batch.get(i).location()::equals).isPresent()) {
                    here.add(batch.get(i));
                }
            }
        }
        return here;
    }

    /** Takes the dead from the index, unless a session has found one of them since: that one is copied out, too. */
    private void forgetDead(Emptied emptied, ContainerReader reader) throws IOException {
        List<ContainerHeads.Entry> rescued = forgetUnlessFound(emptied.dead());
        while (!rescued.isEmpty()) {
            for (ContainerHeads.Entry entry : rescued) {
                copy(entry, reader);
            }
            emptied.dead().removeAll(Set.copyOf(rescued));
            rescued = forgetUnlessFound(emptied.dead());
        }
    }

    private List<ContainerHeads.Entry> forgetUnlessFound(List<ContainerHeads.Entry> dead) throws IOException {
        CollectedChunks.readAhead(chunks, dead);
        return gate.alone(() -> {
            List<ContainerHeads.Entry> found = dead.stream()
                    .filter(entry -> marks.isLive(entry.location()))
                    .toList();
            if (found.isEmpty()) {
                for (ContainerHeads.Entry entry : dead) {
                    chunks.forget(entry.fingerprint(), entry.location());
                }
            }
            return found;
        });
    }

    private void delete(Emptied emptied) throws IOException {
        long bytes;
        try {
            bytes = chunks.containers().size(emptied.container());
        } catch (NoSuchFileException e) {
            return; // Somebody has deleted it.
        }
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("container", emptied.container());
        line.put("bytes", bytes);
        line.put("deadChunks", emptied.dead().size());
        line.put("copiedBytes", emptied.copiedBytes());
        audit.record("container-delete", line);
        chunks.containers().delete(emptied.container());
        deletedContainers++;
        freedBytes += bytes - emptied.copiedBytes();
    }

    /** Given back so far, net. */
    long freedBytes() {
        return freedBytes;
    }

    /** Copied out so far. */
    long copiedBytes() {
        return copiedBytes;
    }

    /** Gone so far. */
    int deletedContainers() {
        return deletedContainers;
    }
}
