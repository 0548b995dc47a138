// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The configuration keys. Those that users set are described, with their units, in {@code incoop-default.xml}; {@code
 * incoop-site.xml} overrides it, a job's own configuration overrides both.
 */
public final class IncoopKeys {

    /** Folder of the memo store. */
    public static final String MEMO_DIR = "incoop.memo.dir";

    /** Bytes of changed chunks that one map task takes. */
    public static final String MAP_TASK_BYTES = "incoop.map.task.bytes";

    /** Prefix of all keys here. */
    public static final String PREFIX = "incoop.";

    /** Set by a job's submission for its tasks: where the plan lies. */
    public static final String PLAN_FILE = "incoop.job.plan";

    /** Set by a job's submission for its tasks: the job's own mapper. */
    static final String MAPPER = "incoop.job.map.class";

    /** Set by a job's submission for its tasks: the job's own input format. */
    static final String INPUT_FORMAT = "incoop.job.inputformat.class";

    private static final long SMALLEST_MAP_TASK_BYTES = 1;

    static {
        Configuration.addDefaultResource("incoop-default.xml");
        Configuration.addDefaultResource("incoop-site.xml");
    }

    private IncoopKeys() {}

    /** The memo store's folder: as configured, or {@code .incoop} in the user's home on the default file system. */
    public static Path memoDir(Configuration conf) throws IOException {
        String configured = conf.getTrimmed(MEMO_DIR, "");
        return configured.isEmpty()
                ? new Path(FileSystem.get(conf).getHomeDirectory(), ".incoop")
                : new Path(configured);
    }

    /**
     * Bytes of changed chunks that one map task takes.
     *
     * @throws IllegalArgumentException if the option is not a size of at least one byte
     */
    public static long mapTaskBytes(Configuration conf) {
        long bytes;
        try {
            bytes = conf.getLongBytes(MAP_TASK_BYTES, 64L << 20);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(badTaskBytes(conf), e);
        }
        if (bytes < SMALLEST_MAP_TASK_BYTES) {
            throw new IllegalArgumentException(badTaskBytes(conf));
        }
        return bytes;
    }

    private static String badTaskBytes(Configuration conf) {
        return MAP_TASK_BYTES + " is '" + conf.get(MAP_TASK_BYTES) + "': give a size of 1 or more, such as 64m";
    }
}
