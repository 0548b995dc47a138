// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.container.ContainerReader;
import io.shredder.backup.agent.container.ContainerWriter;
import io.shredder.backup.agent.index.FingerprintIndex;
import io.shredder.backup.protocol.StoredChunk;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Containers and index together. A chunk can be found as soon as it is put; it is durable once a later {@link #sync} returned. Safe for any
 * number of threads: writers wait for each other, readers for nobody.
 */
final class ChunkStore implements Closeable {

    private final ContainerFolder folder;
    private final FingerprintIndex index;
    private final ContainerWriter writer;

    private ChunkStore(ContainerFolder folder, FingerprintIndex index, ContainerWriter writer) {
        this.folder = folder;
        this.index = index;
        this.writer = writer;
    }

    /** Opens the store: takes up what a crash left after the index's last commit. Owns the index from now on. */
    static ChunkStore open(ContainerFolder folder, FingerprintIndex index, int containerBytes) throws IOException {
        ContainerPosition end = new TailRecovery(folder, index).recover();
        return new ChunkStore(folder, index, new ContainerWriter(folder, containerBytes, end));
    }

    /** Keeps a chunk whose digests have been checked, unless it is kept already. */
    synchronized void put(StoredChunk chunk) throws IOException {
        Fingerprint fingerprint = chunk.ref().fingerprint();
        if (index.find(fingerprint).isPresent()) {
            return;
        }
        if (writer.startsNewContainer(chunk)) {
            sync();
        }
        index.put(fingerprint, writer.append(chunk));
    }

    /** Makes all chunks durable that were put before. Containers first: the index is never ahead of them. */
    synchronized void sync() throws IOException {
        writer.force();
        index.commit(writer.end());
    }

    BitSet lookup(List<Fingerprint> fingerprints) throws IOException {
        List<Optional<ChunkLocation>> locations = index.findAll(fingerprints);
        BitSet present = new BitSet(locations.size());
        for (int i = 0; i < locations.size(); i++) {
            present.set(i, locations.get(i).isPresent());
        }
        return present;
    }

    FingerprintIndex index() {
        return index;
    }

    ContainerFolder containers() {
        return folder;
    }

    /** A new reader; whoever asks closes it. */
    ContainerReader newReader() {
        return new ContainerReader(folder);
    }

    @Override
    public synchronized void close() throws IOException {
        try (index;
                writer) {
            sync();
        }
    }
}
