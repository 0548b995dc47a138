// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import io.shredder.hdfs.records.RecordAligner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Ends blocks at the ends of chunks so that the splits of an ordinary job lie on them. {@code FileInputFormat} takes a
 * split for each preferred block size and places it where its first byte is, whatever the lengths of the blocks are. So
 * a block takes as many whole chunks as fit into the preferred size. What it leaves adds up: the k-th block begins
 * further and further before the k-th split. Before that is much, one short block ends at the split's begin, and the
 * next ones lie on splits again.
 *
 * <p>Whether a chunk fits is known when it has ended, so near a block's end it is held back; that is never more than
 * {@link BlockPlan#heldBytes}. Used by one thread.
 */
final class BlockFitter implements RecordAligner.Sink {

    private static final int MOST_LAG_DIVISOR = 16;
    private static final int LEAST_LAG_CHUNKS = 2;

    private final RecordAligner.Sink sink;
    private final long preferredBytes;
    private final long mostLagBytes;
    private final long roomForAnyChunk;

    private final Deque<byte[]> held = new ArrayDeque<>();
    private long heldBytes;
    private boolean holding;
    private long blockStart;
    private long blockBytes;
    private long limitBytes;

    /** @param sink takes the chunks, of which some end a segment */
    BlockFitter(BlockPlan plan, RecordAligner.Sink sink) {
        this.sink = sink;
        this.preferredBytes = plan.preferredBytes();
        this.mostLagBytes = Math.max(
                preferredBytes / MOST_LAG_DIVISOR,
                (long) LEAST_LAG_CHUNKS * plan.params().averageBytes());
        this.roomForAnyChunk = plan.heldBytes();
        this.limitBytes = preferredBytes;
    }

    @Override
    public void data(ByteBuffer piece) throws IOException {
        if (holding && blockBytes + heldBytes + piece.remaining() > limitBytes) {
            decide(true);
        }
        if (holding) {
            byte[] copy = new byte[piece.remaining()];
            piece.get(copy);
            held.add(copy);
            heldBytes += copy.length;
        } else {
            blockBytes += piece.remaining();
            sink.data(piece);
        }
    }

    /** The chunk before the held one has ended, and with it the block, or not. The held bytes go on. */
    private void decide(boolean blockEnd) throws IOException {
        holding = false;
        endChunkAndMaybeBlock(blockEnd);
        while (!held.isEmpty()) {
            byte[] piece = held.remove();
            heldBytes -= piece.length;
            blockBytes += piece.length;
            sink.data(ByteBuffer.wrap(piece));
        }
    }

    private void endChunkAndMaybeBlock(boolean blockEnd) throws IOException {
        sink.endChunk(blockEnd);
        if (blockEnd) {
            blockStart += blockBytes;
            blockBytes = 0;
            limitBytes = limitAt(blockStart);
        }
    }

    /** How long a block may be: to the next split's begin or, where that is near, as long as any. */
    private long limitAt(long start) {
        long toNextSplit = preferredBytes - start % preferredBytes;
        return toNextSplit > mostLagBytes ? toNextSplit : preferredBytes;
    }

    /** @param fileEnd whether the file ends here; no other chunk comes with its segment ended */
    @Override
    public void endChunk(boolean fileEnd) throws IOException {
        if (holding) {
            decide(false);
        }
        if (blockBytes > limitBytes) {
            limitBytes = preferredBytes; // the very first chunk of a short block is longer than that
        }
        if (fileEnd || blockBytes >= limitBytes) {
            endChunkAndMaybeBlock(true);
        } else if (limitBytes - blockBytes < roomForAnyChunk) {
            holding = true;
        } else {
            endChunkAndMaybeBlock(false);
        }
    }
}
