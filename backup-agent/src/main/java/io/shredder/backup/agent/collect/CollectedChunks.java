// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.container.ContainerHeads;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.container.ReleasableSpace;
import io.shredder.backup.agent.index.FingerprintIndex;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.List;

/** What a collection needs of the store of chunks. Safe for any number of threads. */
public interface CollectedChunks {

    /** Where each chunk is. Only to be read. */
    FingerprintIndex index();

    /**
     * Has the system read what the index has of some chunks, so that nobody waits for the disk while these are
     * forgotten and all sessions are held.
     */
    static void readAhead(CollectedChunks chunks, List<ContainerHeads.Entry> entries) throws IOException {
        var unused = chunks.index()
                .findAll(entries.stream().map(ContainerHeads.Entry::fingerprint).toList());
    }

    /** The files. */
    ContainerFolder containers();

    /** Space inside them that can be given back. */
    ReleasableSpace space();

    /** Where the last container ends. */
    ContainerPosition end();

    /** The same; from now on every region goes behind it. To be called while nobody puts any. */
    ContainerPosition line();

    /** Makes sure that chunks are no longer added to this container. */
    void leave(int container) throws IOException;

    /**
     * Keeps a region at the end whose record begins here, for those of its chunks that the index has here; does nothing
     * if there are none. Durable with the next sync.
     */
    void move(StoredRegion region, ContainerPosition from) throws IOException;

    /** Takes a chunk from the index if that says that it is here. Durable with the next sync. */
    void forget(Fingerprint fingerprint, ChunkLocation at) throws IOException;

    /**
     * The record that has a chunk here can't be read whole: clients are to send again what is in it, as far as its head
     * tells.
     */
    void damaged(Fingerprint fingerprint, ChunkLocation at);

    /** Marking has found every chunk in the index that snapshots need. */
    void allFound() throws IOException;

    /** Makes durable all that was done before. */
    void sync() throws IOException;
}
