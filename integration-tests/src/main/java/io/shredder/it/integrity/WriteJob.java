// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import io.shredder.chunk.DigestAlgorithm;
import java.util.List;

/**
 * What a {@link StoreWriter} is to do, as its file of JSON says it.
 *
 * @param port where the store can be reached
 * @param certificates folder with those of the client {@link StoreSite#CLIENT}
 * @param store process of the agent
 * @param containers the folder where that keeps what it is sent
 * @param cores that the client may use
 * @param digest of blocks
 * @param warmUp a file that each kind of cell writes before the first one is timed
 * @param cells to be measured one after another
 */
record WriteJob(
        int port,
        String certificates,
        long store,
        String containers,
        int cores,
        DigestAlgorithm digest,
        String warmUp,
        List<Cell> cells) {

    WriteJob {
        cells = List.copyOf(cells);
    }

    /**
     * Files written back to back, again and again.
     *
     * @param name in the rows
     * @param files in their order
     * @param primed how many of them are written before the clock runs, each time
     * @param passes how often at least
     * @param seconds that the clock must have run at least
     * @param mostBytes after which it ends sooner, so that what holds the store does not overflow
     */
    record Cell(
            String name,
            Variant variant,
            Cutting cutting,
            List<String> files,
            int primed,
            int passes,
            double seconds,
            long mostBytes) {
        Cell {
            files = List.copyOf(files);
        }
    }
}
