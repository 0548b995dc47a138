// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumSet;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Path;

/**
 * One segment after the other, in one file that is opened again for each block with {@code NEW_BLOCK}. Works wherever
 * HDFS takes appends: in encryption zones, too, and with no more names than the file's own. (Ending a block with
 * {@code SyncFlag.END_BLOCK} would do the same on replicated files only, and syncs every block to the DataNodes'
 * disks.)
 */
final class AppendedFile implements SegmentedFile {

    private static final String NAME = "data";
    private static final int STREAM_BUFFER_BYTES = 64 << 10;

    private final UploadFolder folder;
    private final long preferredBytes;
    private boolean created;

    AppendedFile(UploadFolder folder, long preferredBytes) {
        this.folder = folder;
        this.preferredBytes = preferredBytes;
    }

    @Override
    public int writers() {
        return 1;
    }

    @Override
    public OutputStream open(int segment, int block) throws IOException {
        if (created) {
            EnumSet<CreateFlag> newBlock = EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK);
            return folder.fileSystem().append(folder.path(NAME), newBlock, STREAM_BUFFER_BYTES, null);
        }
        created = true;
        return folder.createBlocks(NAME, preferredBytes);
    }

    @Override
    public void segmentWritten(int segment, int blocks) {}

    @Override
    public Path finish() throws IOException {
        if (!created) {
            folder.createBlocks(NAME, preferredBytes).close();
        }
        return folder.path(NAME);
    }
}
