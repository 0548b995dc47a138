// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.verify;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerHeads;
import io.shredder.backup.agent.container.ContainerReader;
import io.shredder.backup.agent.container.NearRegions;
import io.shredder.backup.agent.store.ChunkStore;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Re-reads and re-digests regions, and notes those of their chunks that are damaged. One thread; any number of them
 * side by side.
 */
final class RegionCheck implements Closeable {

    private final ChunkStore chunks;
    private final ContainerReader reader;

    RegionCheck(ChunkStore chunks) {
        this.chunks = chunks;
        this.reader = chunks.newReader();
    }

    /**
     * Regions of one part, in the order in which they lie. They are read several at once, the last of them with
     * {@link #end}.
     */
    final class Run {

        private final VerifiedPart part;
        private final NearRegions near = new NearRegions();

        private Run(VerifiedPart part) {
            this.part = part;
        }

        /** Takes a region, whose chunks these are; reads those before, unless it lies near them. */
        void add(List<ContainerHeads.Entry> together) throws IOException {
            if (!near.add(together)) {
                end();
                near.add(together);
            }
        }

        /** Reads what was taken and not read. */
        void end() throws IOException {
            if (!near.isEmpty()) {
                verify(near, part);
                near.clear();
            }
        }
    }

    /** Begins with a part of a verification, which learns what is found. */
    Run begin(VerifiedPart part) {
        return new Run(part);
    }

    private void verify(NearRegions near, VerifiedPart part) throws IOException {
        BitSet whole = whole(near);
        for (int i = 0; i < near.regions().size(); i++) {
            List<ContainerHeads.Entry> together = near.regions().get(i);
            for (ContainerHeads.Entry chunk : together) {
                part.count(chunk.location().plainBytes());
            }
            if (!whole.get(i)) {
                verify(together, part);
            }
        }
    }

    /** None if they can't be read at once: then each is read by itself, and what is wrong is told there. */
    private BitSet whole(NearRegions near) {
        try {
            chunks.show(near.last());
            return reader.whole(near);
        } catch (IOException e) {
            return new BitSet();
        }
    }

    /** Reads a region once. What a collection has taken away since is not missed. */
    private void verify(List<ContainerHeads.Entry> together, VerifiedPart part) throws IOException {
        Set<Fingerprint> seen = new HashSet<>();
        try {
            for (ContainerHeads.Entry chunk : together) {
                if (!seen.contains(chunk.fingerprint())) {
                    seen.addAll(verify(chunk, together, part));
                }
            }
        } catch (IOException e) {
            part.problem(e);
        }
    }

    /**
     * Reads the region of a chunk, wherever it is now.
     *
     * @param together the chunks that were in one record
     * @return those that nothing more needs to be said of
     */
    private List<Fingerprint> verify(ContainerHeads.Entry chunk, List<ContainerHeads.Entry> together, VerifiedPart part)
            throws IOException {
        try {
            return chunks.read(
                            chunk.fingerprint(),
                            Optional.of(chunk.location()),
                            at -> reader.check(chunk.fingerprint(), at))
                    .orElse(List.of());
        } catch (DamagedDataException e) {
            part.problem(e);
            return isStillThere(chunk) ? noteDamage(together) : List.of();
        }
    }

    /** Where not even a record's head is whole, the index alone knows what was in it. */
    private List<Fingerprint> noteDamage(List<ContainerHeads.Entry> together) throws IOException {
        Set<Fingerprint> noted = new HashSet<>();
        for (ContainerHeads.Entry chunk : together) {
            if (isStillThere(chunk)) {
                chunks.damaged(chunk.fingerprint(), chunk.location());
                noted.add(chunk.fingerprint());
            }
        }
        return List.copyOf(noted);
    }

    private boolean isStillThere(ContainerHeads.Entry chunk) throws IOException {
        Optional<ChunkLocation> now = chunks.index().find(chunk.fingerprint());
        return now.filter(chunk.location()::equals).isPresent();
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
