// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.config.MapOnly;
import io.shredder.incoop.config.ReplacedClasses;
import io.shredder.incoop.config.SeveralInputs;
import io.shredder.incoop.format.ChunkFormats;
import io.shredder.incoop.format.UnservedFormatException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapTask;
import org.apache.hadoop.mapred.SkipBadRecords;
import org.apache.hadoop.mapred.lib.MultithreadedMapRunner;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.chain.ChainMapper;
import org.apache.hadoop.mapreduce.lib.map.MultithreadedMapper;
import org.apache.hadoop.mapreduce.task.reduce.Shuffle;
import org.jspecify.annotations.Nullable;

/**
 * What a job's configuration alone says about reuse. Whatever can't be reused safely runs plainly. Each rule gives the
 * reason, which completes "the job runs plainly: ", or nothing.
 */
final class Eligibility {

    private static final List<Function<Configuration, @Nullable String>> RULES = List.of(
            MapOnly::objection,
            Eligibility::encryption,
            Eligibility::lostMaps,
            Eligibility::otherJvms,
            Eligibility::mapRunner,
            Eligibility::mapper,
            Eligibility::inputFormat,
            Eligibility::skipping,
            Eligibility::plugIns);

    private Eligibility() {}

    /** Why the job has to run plainly; empty if nothing in its configuration speaks against reuse. */
    static Optional<String> objection(Configuration conf) {
        for (Function<Configuration, @Nullable String> rule : RULES) {
            String reason = rule.apply(conf);
            if (reason != null) {
                return Optional.of(reason);
            }
        }
        return Optional.empty();
    }

    private static @Nullable String encryption(Configuration conf) {
        return conf.getBoolean(MRJobConfig.MR_ENCRYPTED_INTERMEDIATE_DATA, false) && !MapOnly.is(conf)
                ? "its intermediate data are encrypted (" + MRJobConfig.MR_ENCRYPTED_INTERMEDIATE_DATA + ")"
                : null;
    }

    private static @Nullable String lostMaps(Configuration conf) {
        int allowed = conf.getInt(MRJobConfig.MAP_FAILURES_MAX_PERCENT, 0);
        return allowed > 0
                ? "it goes on without " + allowed + " % of its maps (" + MRJobConfig.MAP_FAILURES_MAX_PERCENT
                        + "), and which are lost follows from no input"
                : null;
    }

    private static @Nullable String mapRunner(Configuration conf) {
        if (ReplacedClasses.of(conf) != ReplacedClasses.OLD_API) {
            return null;
        }
        String name = ReplacedClasses.mapRunner(conf);
        Class<?> runner = conf.getClassByNameOrNull(name);
        if (runner == null) {
            return "its MapRunnable " + name + " can't be loaded here";
        }
        if (MultithreadedMapRunner.class.isAssignableFrom(runner)) {
            return "it runs its mapper in threads of its own (" + name + ")";
        }
        return ReplacedClasses.isStreaming(conf) && !IncoopKeys.programsIgnoreTask(conf)
                ? "it is a streaming job, whose programs may look at environment variables that tell of their task: if they"
                        + " don't, say -D " + IncoopKeys.PROGRAMS_IGNORE_TASK + "=true"
                : null;
    }

    /** A reduce task computes chunks with damaged memos, and reads what maps kept by what their JVMs were like. */
    private static @Nullable String otherJvms(Configuration conf) {
        Optional<String> differing = MapOnly.is(conf) ? Optional.empty() : TaskJvms.differingKey(conf);
        return differing
                .map(key -> "its maps' JVMs are given other things than its reduces' (" + key
                        + " and its counterpart), and a reduce task may have to compute what a map would")
                .orElse(null);
    }

    /** Mappers of Hadoop's that run others, with copies of the context or the configuration that can't be watched. */
    private static @Nullable String mapper(Configuration conf) {
        Set<String> names = new TreeSet<>(SeveralInputs.mappers(conf));
        names.add(ReplacedClasses.of(conf).mapper(conf));
        for (String name : names) {
            String reason = mapper(name, conf);
            if (reason != null) {
                return reason;
            }
        }
        return null;
    }

    private static @Nullable String mapper(String name, Configuration conf) {
        Class<?> mapper = conf.getClassByNameOrNull(name);
        if (mapper == null) {
            return "its mapper " + name + " can't be loaded here";
        }
        if (ChainMapper.class.isAssignableFrom(mapper)
                || org.apache.hadoop.mapred.lib.ChainMapper.class.isAssignableFrom(mapper)) {
            return "its mapper is a chain (" + name + "), whose links can ask where they are without being noticed";
        }
        return MultithreadedMapper.class.isAssignableFrom(mapper)
                ? "its mapper runs threads of its own (" + name + ")"
                : null;
    }

    private static @Nullable String inputFormat(Configuration conf) {
        String name = ReplacedClasses.of(conf).inputFormat(conf);
        if (SeveralInputs.isDelegate(name)) {
            return null; // which of them are served is looked at input by input
        }
        Class<?> format = conf.getClassByNameOrNull(name);
        if (format == null) {
            return "its input format " + name + " can't be loaded here";
        }
        if (isCombined(format)) {
            return "its input format " + name + " puts parts of several files into one split";
        }
        try {
            ChunkFormats.find(format, conf);
            return null;
        } catch (UnservedFormatException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static boolean isCombined(Class<?> format) {
        return org.apache.hadoop.mapreduce.lib.input.CombineFileInputFormat.class.isAssignableFrom(format)
                || org.apache.hadoop.mapred.MultiFileInputFormat.class.isAssignableFrom(format);
    }

    private static @Nullable String skipping(Configuration conf) {
        boolean badRecords = ReplacedClasses.of(conf) == ReplacedClasses.OLD_API
                && SkipBadRecords.getMapperMaxSkipRecords(new JobConf(conf)) > 0;
        return badRecords
                ? "it skips records that its mapper fails on (" + MRJobConfig.MAP_SKIP_MAX_RECORDS + ")"
                : null;
    }

    private static @Nullable String plugIns(Configuration conf) {
        if (MapOnly.is(conf)) {
            return null; // it has no map output to collect and shuffle
        }
        String collector =
                conf.get(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, MapTask.MapOutputBuffer.class.getName());
        String shuffle = conf.get(MRConfig.SHUFFLE_CONSUMER_PLUGIN, Shuffle.class.getName());
        if (!collector.equals(MapTask.MapOutputBuffer.class.getName())) {
            return "it brings a map output collector of its own, " + collector;
        }
        return shuffle.equals(Shuffle.class.getName()) ? null : "it brings a shuffle plug-in of its own, " + shuffle;
    }
}
