// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.hadoop;

import io.shredder.backup.agent.file.Span;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.BlockMissingException;

/**
 * What of an open file its file system has lost. HDFS looks for replicas of a block again and again, for a quarter of a
 * minute, before it says that there is none: so it is asked once for each block, not for each of the thousand chunks in
 * it. One thread.
 */
final class LostBlocks {

    /**
     * What a read of an erasure-coded file says when too many blocks of a group are gone; it has no type of its own.
     */
    private static final String STRIPE = "missing blocks, the stripe is";

    private final String file;
    private final List<Span> lost = new ArrayList<>();

    /** Of a file that errors name so. */
    LostBlocks(String file) {
        this.file = file;
    }

    /** Whether an error says that bytes are gone, not that the file system can't be asked. */
    static boolean isLoss(IOException error) {
        return error instanceof BlockMissingException
                || error instanceof ChecksumException
                || String.valueOf(error.getMessage()).contains(STRIPE);
    }

    /** Refuses to read these bytes if some of them are known to be lost. */
    void check(long position, int length) throws DamagedDataException {
        Span read = new Span(position, position + length);
        for (Span block : lost) {
            if (block.shared(read) > 0) {
                throw new DamagedDataException(file, Math.max(position, block.from()), "its block is lost");
            }
        }
    }

    /**
     * Remembers a block that is lost as a whole, and says what to throw.
     *
     * @param position where the read began
     */
    DamagedDataException found(IOException error, long position, HadoopReadable.Opener opener) throws IOException {
        long at = position;
        if (error instanceof BlockMissingException missing) {
            at = Math.max(position, missing.getOffset());
            lost.add(opener.block(at));
        }
        DamagedDataException damage = new DamagedDataException(file, at, "can't be read: " + error.getMessage());
        damage.initCause(error);
        return damage;
    }
}
