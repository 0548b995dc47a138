// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.output;

import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.binding.ManifestNames;
import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.memo.MemoWriter;
import io.shredder.incoop.memo.Reuse;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the part file that a task has written, for runs in which nothing of what it was made of has changed. */
public final class PartKeeper {

    private static final Logger LOG = LoggerFactory.getLogger(PartKeeper.class);

    private final JobConf conf;
    private final MemoStore store;
    private final int largestBytes;

    /** @param largestBytes part files that are larger are not kept */
    public PartKeeper(JobConf conf, MemoStore store, int largestBytes) {
        this.conf = conf;
        this.store = store;
        this.largestBytes = largestBytes;
    }

    /**
     * Keeps the part file if it is all that the task has written. The task does not need it, so a store that can't be
     * written to costs a warning and no more.
     *
     * @param name of the memo file
     */
    public void keep(ReduceHandOff.Keepable part, String name, TaskAttemptID attempt) {
        try {
            FileSystem fs = part.workFolder().getFileSystem(conf);
            FileStatus[] written = fs.listStatus(part.workFolder(), path -> !isManifest(path));
            if (written.length != 1 || !written[0].isFile() || written[0].getLen() > largestBytes) {
                return;
            }
            try (FSDataInputStream in = fs.open(written[0].getPath());
                    MemoWriter writer = store.writer(MemoKind.PARTS, name, attempt + "-" + name, 1)) {
                writer.append(part.key(), in, (int) written[0].getLen(), part.counters(), part.dependencies());
                writer.publish();
            }
        } catch (IOException e) {
            LOG.warn("incoop: the part file is not kept: {}", e.getMessage());
        }
    }

    /**
     * Keeps that a part file is good for its own run only, and not what is in it.
     *
     * @param key under which it would be kept
     * @param name of the memo file
     */
    void keepAsked(Fingerprint key, String name, TaskAttemptID attempt) throws IOException {
        try (MemoWriter writer = store.writer(MemoKind.PARTS, name, attempt + "-" + name, 1)) {
            writer.append(key, Reuse.POSITION_DEPENDENT, List.of(new byte[0]), List.of(), List.of());
            writer.publish();
        }
    }

    /** Whether we have written it beside the part file. */
    private boolean isManifest(Path path) {
        return IncoopKeys.outputChunkBytes(conf) > 0
                && ManifestNames.fileOf(path.getName())
                        .filter(file -> file.matches("part-r-\\d+"))
                        .isPresent();
    }
}
