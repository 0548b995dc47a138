// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.config;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.SnappyCodec;
import org.apache.hadoop.mapreduce.MRConfig;

/**
 * The configuration keys. Those that users set are described, with their units, in {@code incoop-default.xml}; {@code
 * incoop-site.xml} overrides it, a job's own configuration overrides both.
 */
public final class IncoopKeys {

    /** Folder of the memo store. */
    public static final String MEMO_DIR = "incoop.memo.dir";

    /** How many DataNodes hold each block of a memo file. */
    public static final String MEMO_REPLICATION = "incoop.memo.replication";

    /** What compresses the map output, and with it the memo store, of jobs that do not do so themselves. */
    public static final String MEMO_CODEC = "incoop.memo.codec";

    /** How many runs of a job keep the memo files that they use. */
    public static final String MEMO_KEEP_RUNS = "incoop.memo.keep.runs";

    /** How long such runs count if none of their job's name follows. */
    public static final String MEMO_KEEP_TIME = "incoop.memo.keep.time";

    /** How long a memo file that no run uses any more stays. */
    public static final String MEMO_GRACE = "incoop.memo.grace";

    /** What the memo store may hold at most. */
    public static final String MEMO_MAX_BYTES = "incoop.memo.max.bytes";

    /** Whether each job's submission collects the memo store. */
    public static final String MEMO_COLLECT = "incoop.memo.collect";

    /** Up to which length a reduce task's part file is kept. */
    public static final String PART_MAX_BYTES = "incoop.part.max.bytes";

    /** Bytes of changed chunks that one map task takes. */
    public static final String MAP_TASK_BYTES = "incoop.map.task.bytes";

    /** Up to how many bytes of changed chunks a job's reduce tasks start beside its maps. */
    public static final String HURRIED_BYTES = "incoop.hurried.bytes";

    /** Up to how many bytes of changed chunks a job's tasks are compiled fast rather than well. */
    public static final String QUICK_BYTES = "incoop.quick.bytes";

    /** Options for the JVMs of a quick job's tasks. */
    public static final String QUICK_JAVA_OPTIONS = "incoop.quick.java.opts";

    /** Whether part files of lines get manifests. */
    public static final String OUTPUT_CHUNKED = "incoop.output.chunked";

    /** How long a chunk of such a part file is on average. */
    public static final String OUTPUT_CHUNK_BYTES = "incoop.output.chunk.bytes";

    /** Whether the user says that the programs which the job starts don't look at where they run. */
    public static final String PROGRAMS_IGNORE_TASK = "incoop.programs.ignore.task";

    /** Whether the operator says that the cluster's nodes have the same files for programs, but for times. */
    static final String PROGRAMS_NODES_ALIKE = "incoop.programs.nodes.alike";

    /** Prefix of all keys here. */
    public static final String PREFIX = "incoop.";

    /** Set by a job's submission for its tasks: where the plan lies. */
    public static final String PLAN_FILE = "incoop.job.plan";

    /** Set by a job's submission: the folder of its identity in the memo store. */
    public static final String MEMO_OF_JOB = "incoop.job.memo";

    /** Set by a job's submission for its tasks: the job's own mapper. */
    public static final String MAPPER = "incoop.job.map.class";

    /** Set by a job's submission for its tasks: what runs the job's own mapper, if that is one of the old API. */
    static final String MAP_RUNNER = "incoop.job.map.runner.class";

    /** Set by a job's submission for its tasks: the job's own reducer, if part files are kept. */
    static final String REDUCER = "incoop.job.reduce.class";

    /** Set by a job's submission for its tasks: the job's own output format, if part files are kept. */
    static final String OUTPUT_FORMAT = "incoop.job.outputformat.class";

    /** Set by a job's submission for its tasks: the job's own input format. */
    static final String INPUT_FORMAT = "incoop.job.inputformat.class";

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

    /** How many DataNodes hold each block of a memo file; 0: as the file system does by default. */
    public static short memoReplication(Configuration conf) {
        return (short) number(conf, MEMO_REPLICATION, 1, 0, Short.MAX_VALUE);
    }

    /** What compresses the map output of jobs that do not do so themselves; empty: nothing does. */
    public static Optional<Class<? extends CompressionCodec>> memoCodec(Configuration conf) {
        String name = conf.getTrimmed(MEMO_CODEC, SnappyCodec.class.getName());
        if (name.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(conf.getClassByName(name).asSubclass(CompressionCodec.class));
        } catch (ClassNotFoundException | ClassCastException e) {
            throw new IllegalArgumentException(bad(conf, MEMO_CODEC, "the class of a CompressionCodec, or nothing"), e);
        }
    }

    /** How many runs of a job keep the memo files that they use. */
    public static int memoKeepRuns(Configuration conf) {
        return (int) number(conf, MEMO_KEEP_RUNS, 3, 1, Integer.MAX_VALUE);
    }

    /** How long the last runs of a job name keep theirs if none follows, in milliseconds. */
    public static long memoKeepTimeMs(Configuration conf) {
        return time(conf, MEMO_KEEP_TIME, TimeUnit.DAYS.toMillis(40), "a time such as 40d");
    }

    /** How long a memo file that no run uses any more stays, in milliseconds. */
    public static long memoGraceMs(Configuration conf) {
        return time(conf, MEMO_GRACE, TimeUnit.DAYS.toMillis(1), "a time such as 24h");
    }

    /** What the memo store may hold at most, in bytes of one replica; 0: any number. */
    public static long memoMaxBytes(Configuration conf) {
        return number(conf, MEMO_MAX_BYTES, 0, 0, Long.MAX_VALUE);
    }

    /** Up to which length a reduce task's part file is kept, in bytes; 0: none is. */
    public static int partMaxBytes(Configuration conf) {
        return (int) number(conf, PART_MAX_BYTES, 256L << 20, 0, Integer.MAX_VALUE);
    }

    /**
     * Bytes of changed chunks that one map task takes.
     *
     * @throws IllegalArgumentException if the option is not a size of at least one byte
     */
    public static long mapTaskBytes(Configuration conf) {
        return number(conf, MAP_TASK_BYTES, 128L << 20, 1, Long.MAX_VALUE);
    }

    /** Up to how many bytes of changed chunks a job's reduce tasks start beside its maps. */
    public static long hurriedBytes(Configuration conf) {
        return number(conf, HURRIED_BYTES, 1L << 30, 0, Long.MAX_VALUE);
    }

    /** Up to how many bytes of changed chunks a job is quick; 0: only if nothing has changed. */
    public static long quickBytes(Configuration conf) {
        return number(conf, QUICK_BYTES, 64L << 20, 0, Long.MAX_VALUE);
    }

    /** Options for the JVMs of a quick job's tasks, beside the job's own. */
    public static String quickJavaOptions(Configuration conf) {
        return conf.getTrimmed(QUICK_JAVA_OPTIONS, "-XX:TieredStopAtLevel=1");
    }

    /** How long a chunk of a part file of lines is on average, in bytes; 0: part files get no manifests. */
    public static long outputChunkBytes(Configuration conf) {
        return conf.getBoolean(OUTPUT_CHUNKED, false) ? number(conf, OUTPUT_CHUNK_BYTES, 1 << 20, 1024, 1 << 28) : 0;
    }

    /** Whether the programs that the job starts are said not to look at where they run. */
    public static boolean programsIgnoreTask(Configuration conf) {
        return conf.getBoolean(PROGRAMS_IGNORE_TASK, false);
    }

    /** Whether files on two nodes with equal content but other times count as the same; the client's never do. */
    public static boolean nodesAreAlike(Configuration conf) {
        return conf.getBoolean(PROGRAMS_NODES_ALIKE, false)
                && !conf.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME)
                        .equals(MRConfig.LOCAL_FRAMEWORK_NAME);
    }

    private static long time(Configuration conf, String key, long byDefaultMs, String wanted) {
        long ms;
        try {
            ms = conf.getTimeDuration(key, byDefaultMs, TimeUnit.MILLISECONDS);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(bad(conf, key, wanted), e);
        }
        if (ms < 0) {
            throw new IllegalArgumentException(bad(conf, key, wanted));
        }
        return ms;
    }

    private static long number(Configuration conf, String key, long byDefault, long least, long most) {
        String wanted = "a number from " + least + " to " + most + ", k, m or g behind it if it is a size";
        long value;
        try {
            value = conf.getLongBytes(key, byDefault);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(bad(conf, key, wanted), e);
        }
        if (value < least || value > most) {
            throw new IllegalArgumentException(bad(conf, key, wanted));
        }
        return value;
    }

    private static String bad(Configuration conf, String key, String wanted) {
        return key + " is '" + conf.get(key) + "': give " + wanted;
    }
}
