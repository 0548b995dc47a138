// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.seal.Remarks;
import io.shredder.backup.server.stage.BackupTimes;
import io.shredder.backup.server.trust.ProvedSeries;
import io.shredder.backup.wire.Request;
import io.shredder.chunk.ChunkingParams;
import java.io.IOException;

/** Where the chunks of one backup come from. */
interface ChunkOrigin {

    /**
     * Comes first.
     *
     * @param series that the backup goes on
     */
    void begin(ProvedSeries series, LastSnapshot last) throws IOException;

    /** Hands over every chunk, in order; returns when the last was taken. */
    void chunk(LastSnapshot last, ChunkingParams params, ChunkHandOver chunks, BackupTimes times) throws IOException;

    /** How long the image is; {@link Request.Begin#UNKNOWN_LENGTH} if only its end tells. */
    long imageBytes();

    /** Chunks of the last snapshot that are handed over without being kept, since their bytes can be had again. */
    ExpectedChunks expected(LastSnapshot last);

    /** Bytes that were handed over, again, from any thread; only of chunks that are {@link #expected} or unchanged. */
    byte[] bytes(long offset, int count) throws IOException;

    /**
     * The remarks with what was found; to be asked when all is handed over.
     *
     * @param imageBytes length of the image
     * @throws IOException if what was read must not become a snapshot
     */
    Remarks remarks(Remarks given, long imageBytes) throws IOException;

    /** How much was read; to be asked when all is handed over. */
    ImageReading reading();
}
