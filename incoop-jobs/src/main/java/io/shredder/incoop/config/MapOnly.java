// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.config;

import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.FileOutputCommitter;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitterFactory;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.jspecify.annotations.Nullable;

/**
 * Jobs without reducers: each map writes a part file, and the unit of reuse is a split of a plain run with its part
 * file. Jobs whose output is anything but one file of Hadoop's own formats for each map, under Hadoop's own committer,
 * run plainly.
 */
public final class MapOnly {

    private static final String OLD_OUTPUT_FORMAT = "mapred.output.format.class";
    private static final String OLD_COMMITTER = "mapred.output.committer.class";

    private static final Set<String> ONE_FILE_FORMATS = Set.of(
            TextOutputFormat.class.getName(),
            SequenceFileOutputFormat.class.getName(),
            org.apache.hadoop.mapred.TextOutputFormat.class.getName(),
            org.apache.hadoop.mapred.SequenceFileOutputFormat.class.getName());

    private MapOnly() {}

    /** Whether a job has no reducers. */
    public static boolean is(Configuration conf) {
        return conf.getInt(MRJobConfig.NUM_REDUCES, 1) == 0;
    }

    /** Why a job without reducers has to run plainly; null if nothing here speaks against reuse, or it has some. */
    public static @Nullable String objection(Configuration conf) {
        if (!is(conf)) {
            return null;
        }
        if (SeveralInputs.isDelegate(ReplacedClasses.of(conf).inputFormat(conf))) {
            return "it has several input formats or mappers, and no reduce phase";
        }
        if (ReplacedClasses.isStreaming(conf)) {
            return "it is a streaming job without a reduce phase";
        }
        String format = ownOutputFormat(conf);
        if (!ONE_FILE_FORMATS.contains(format)) {
            return "it has no reduce phase, and of its output format " + format
                    + " is not known that each map writes one file and nothing else";
        }
        if (IncoopKeys.partMaxBytes(conf) == 0) {
            return "it has no reduce phase, and no part files are kept (" + IncoopKeys.PART_MAX_BYTES + ")";
        }
        return committer(conf);
    }

    private static @Nullable String committer(Configuration conf) {
        String own = FileOutputCommitter.class.getName();
        if (ReplacedClasses.of(conf) == ReplacedClasses.OLD_API) {
            String named = conf.get(OLD_COMMITTER, own);
            return named.equals(own) ? null : otherCommitter(named);
        }
        String output = conf.get(FileOutputFormat.OUTDIR);
        if (output == null) {
            return null; // Hadoop says so
        }
        Class<?> factory = PathOutputCommitterFactory.getCommitterFactory(new Path(output), conf)
                .getClass();
        return factory == FileOutputCommitterFactory.class ? null : otherCommitter(factory.getName());
    }

    private static String otherCommitter(String name) {
        return "it has no reduce phase, and brings an output committer of its own, " + name;
    }

    private static String ownOutputFormat(Configuration conf) {
        return ReplacedClasses.of(conf) == ReplacedClasses.NEW_API
                ? conf.get(MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR, TextOutputFormat.class.getName())
                : conf.get(OLD_OUTPUT_FORMAT, org.apache.hadoop.mapred.TextOutputFormat.class.getName());
    }

    /**
     * Puts our output format in the place of the job's own, whose name is kept.
     *
     * @param ours of the same API as the job's mapper
     */
    public static void install(Configuration conf, Class<?> ours) {
        conf.set(IncoopKeys.OUTPUT_FORMAT, ownOutputFormat(conf));
        boolean newApi = ReplacedClasses.of(conf) == ReplacedClasses.NEW_API;
        conf.set(newApi ? MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR : OLD_OUTPUT_FORMAT, ours.getName());
    }

    /** The job's own output format, of the same API as its mapper; only while ours stands in for it. */
    public static Class<?> outputFormatClass(Configuration conf) throws ClassNotFoundException {
        return conf.getClassByName(conf.get(IncoopKeys.OUTPUT_FORMAT));
    }

    /** Whether the job's own output format writes text, and may compress the file as a whole. */
    public static boolean writesText(Configuration conf) {
        return conf.get(IncoopKeys.OUTPUT_FORMAT, "").endsWith("." + TextOutputFormat.class.getSimpleName());
    }
}
