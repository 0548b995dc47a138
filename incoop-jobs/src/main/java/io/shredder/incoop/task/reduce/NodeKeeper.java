// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.reduce;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.memo.MemoWriter;
import io.shredder.incoop.task.Staging;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the nodes that a reduce task combines, in one memo file. The task does not need them, so a store that can't be
 * written to costs a warning and no more. One thread.
 */
final class NodeKeeper implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NodeKeeper.class);

    private final MemoStore store;
    private final String fileName;
    private final String attempt;
    private @Nullable MemoWriter writer;
    private boolean failed;

    /** @param job the MapReduce id that names the file */
    NodeKeeper(MemoStore store, String job, TaskAttemptID attempt) {
        this.store = store;
        this.fileName = MemoKind.NODES.fileName(job, attempt.getTaskID().getId());
        this.attempt = attempt + "-" + fileName;
    }

    void keep(Fingerprint key, Staging staging, Staging.Staged segment) {
        if (failed || segment.length() > Integer.MAX_VALUE) {
            return;
        }
        try (InputStream in = staging.open(segment)) {
            if (writer == null) {
                writer = store.writer(MemoKind.NODES, fileName, attempt, 1);
            }
            writer.append(key, in, (int) segment.length(), List.of(), List.of());
        } catch (IOException e) {
            fail(e);
        }
    }

    /** Lets later jobs see the nodes. */
    void publish() {
        try {
            if (writer != null && !failed) {
                writer.publish();
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private void fail(IOException why) {
        failed = true;
        LOG.warn("incoop: contraction nodes are not kept: {}", why.getMessage());
    }

    @Override
    public void close() {
        try {
            if (writer != null) {
                writer.close();
            }
        } catch (IOException e) {
            LOG.debug("not closed", e);
        }
    }
}
