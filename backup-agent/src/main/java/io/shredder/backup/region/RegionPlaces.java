// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.region;

import io.shredder.chunk.Fingerprint;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Says where regions lie on this machine: who has the key reads them without an agent. Safe for several threads. */
@FunctionalInterface
public interface RegionPlaces {

    /**
     * Where the regions are that these chunks are in, each once.
     *
     * @return fails if any chunk is not kept: an agent that is asked for it says more
     */
    CompletableFuture<List<RegionPlace>> find(List<Fingerprint> chunks);
}
