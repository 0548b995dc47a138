// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerScan;
import io.shredder.backup.agent.index.FingerprintIndex;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Takes up of regions, of which some chunks were kept elsewhere when they were written, those that the index has
 * nowhere else. To be used once all other regions are in the index.
 */
final class PartlyKept implements ContainerScan.Visitor {

    private final FingerprintIndex index;

    PartlyKept(FingerprintIndex index) {
        this.index = index;
    }

    /** They are there already. */
    @Override
    public void region(Map<Fingerprint, ChunkLocation> chunks) {}

    @Override
    public void partly(Map<Fingerprint, ChunkLocation> chunks) throws IOException {
        List<Fingerprint> asked = List.copyOf(chunks.keySet());
        List<Optional<ChunkLocation>> found = index.findAll(asked);
        Map<Fingerprint, ChunkLocation> lacking = new HashMap<>(chunks);
        for (int i = 0; i < asked.size(); i++) {
            if (found.get(i).isPresent()) {
                lacking.remove(asked.get(i));
            }
        }
        index.putAll(lacking);
    }

    /** It was found before, and said. */
    @Override
    public void damaged(Set<Fingerprint> chunks, DamagedDataException damage) {}
}
