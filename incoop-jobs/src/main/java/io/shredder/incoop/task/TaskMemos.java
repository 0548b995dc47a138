// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.identity.JvmIdentity;
import io.shredder.incoop.memo.MemoStore;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memo store as a task sees it: what tasks on a cluster keep says what their JVM was like, and is used by JVMs like
 * it alone. Of a job in the client's process the identity says so. Safe for use by several threads.
 */
public final class TaskMemos {

    private static final Logger LOG = LoggerFactory.getLogger(TaskMemos.class);

    private static @Nullable Fingerprint ofThisJvm;

    private TaskMemos() {}

    public static MemoStore open(Configuration conf, Path root, Fingerprint identity) throws IOException {
        boolean inClient =
                conf.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME).equals(MRConfig.LOCAL_FRAMEWORK_NAME);
        return new MemoStore(conf, root, identity, inClient ? MemoStore.JVM_OF_IDENTITY : ofThisJvm(conf));
    }

    /** Leaves word for the client of why a job fails: not every framework passes on what a task has failed of. */
    public static void noteFailure(Configuration conf, String job, String reason) {
        try {
            MemoStore.ofJob(conf).noteFailure(job, reason);
        } catch (IOException e) {
            LOG.warn("incoop: {}; its client may not hear of it: {}", reason, e.getMessage());
        }
    }

    /** As {@link #noteFailure(Configuration, String, String)}, with the place where it failed. */
    public static void noteFailure(MemoStore store, String job, Throwable failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        String where = trace.length == 0 ? "" : " in " + trace[0].getClassName();
        try {
            store.noteFailure(job, failure + where);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** Leaves word of why a job has to run plainly: for its client, or for every run of the same job. */
    public static void leaveWord(MemoStore store, String job, PlainRunNeededException e) throws IOException {
        if (e.isAlways()) {
            store.refuse(String.valueOf(e.getMessage()));
        } else {
            store.noteFailure(job, String.valueOf(e.getMessage()));
        }
    }

    private static synchronized Fingerprint ofThisJvm(Configuration job) throws IOException {
        if (ofThisJvm == null) {
            ofThisJvm = JvmIdentity.ofTask(job);
        }
        return ofThisJvm;
    }
}
