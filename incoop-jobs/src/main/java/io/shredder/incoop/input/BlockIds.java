// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.input;

import io.shredder.chunk.binding.BlockLayout;
import java.io.IOException;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.HdfsBlockLocation;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/** The ids of a file's blocks, which its manifest is bound to. */
public final class BlockIds {

    private BlockIds() {}

    /** The file system tells blocks without their ids. */
    public static final class MissingException extends IOException {

        private static final long serialVersionUID = 1L;

        MissingException(Path file) {
            super("the block ids of " + file + " can't be read, so its manifest can't be checked");
        }
    }

    /**
     * The blocks with their ids.
     *
     * @param file for the error
     * @throws MissingException if they come without ids
     */
    public static BlockLayout layout(Path file, BlockLocation... blocks) throws MissingException {
        BlockLayout.Builder layout = new BlockLayout.Builder();
        for (BlockLocation location : blocks) {
            if (!(location instanceof HdfsBlockLocation hdfsLocation)) {
                throw new MissingException(file);
            }
            ExtendedBlock block = hdfsLocation.getLocatedBlock().getBlock();
            layout.add(block.getBlockId(), block.getGenerationStamp(), block.getNumBytes());
        }
        return layout.build();
    }
}
