// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.config;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.MapRunner;
import org.apache.hadoop.mapred.lib.IdentityMapper;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;

/** Which classes of a job give way to ours, by the API of its mapper. */
public enum ReplacedClasses {
    /** {@code org.apache.hadoop.mapreduce}: the mapper and the input format. */
    NEW_API(
            MRJobConfig.MAP_CLASS_ATTR,
            Mapper.class,
            MRJobConfig.MAP_CLASS_ATTR,
            MRJobConfig.INPUT_FORMAT_CLASS_ATTR,
            TextInputFormat.class),
    /** {@code org.apache.hadoop.mapred}: the runner, which makes the mapper, and the input format. */
    OLD_API(
            "mapred.mapper.class",
            IdentityMapper.class,
            "mapred.map.runner.class",
            "mapred.input.format.class",
            org.apache.hadoop.mapred.TextInputFormat.class);

    /** Whether a job's mapper is one of the new API; set by {@code Job.submit}. */
    private static final String NEW_MAPPER = "mapred.mapper.new-api";

    /** What starts a program for each map of Hadoop streaming. */
    private static final String STREAMING = "org.apache.hadoop.streaming.PipeMapRunner";

    /**
     * The names of classes of ours that stand in for a job's.
     *
     * @param mapping the mapper, or in the old API what runs it
     */
    public record StandIns(String mapping, String inputFormat) {
        public static StandIns of(Class<?> mapping, Class<?> inputFormat) {
            return new StandIns(mapping.getName(), inputFormat.getName());
        }
    }

    private final String mapperKey;
    private final Class<?> defaultMapper;
    private final String mappingKey;
    private final String inputFormatKey;
    private final Class<?> defaultInputFormat;

    ReplacedClasses(
            String mapperKey,
            Class<?> defaultMapper,
            String mappingKey,
            String inputFormatKey,
            Class<?> defaultInputFormat) {
        this.mapperKey = mapperKey;
        this.defaultMapper = defaultMapper;
        this.mappingKey = mappingKey;
        this.inputFormatKey = inputFormatKey;
        this.defaultInputFormat = defaultInputFormat;
    }

    /** Whether this is the configuration of a job about to be submitted, and not of, say, {@code mapred job -list}. */
    public static boolean isJob(Configuration conf) {
        return conf.get(NEW_MAPPER) != null;
    }

    /** Those of the API that a job's mapper is of. */
    public static ReplacedClasses of(Configuration conf) {
        return conf.getBoolean(NEW_MAPPER, false) ? NEW_API : OLD_API;
    }

    /** Whether a job's maps are programs that streaming starts. */
    public static boolean isStreaming(Configuration conf) {
        return of(conf) == OLD_API && mapRunner(conf).equals(STREAMING);
    }

    /** The mapper's name before {@link #replace}. */
    public String mapper(Configuration conf) {
        return conf.get(mapperKey, defaultMapper.getName());
    }

    /** What runs a mapper of the old API, before {@link #replace}. */
    public static String mapRunner(Configuration conf) {
        return conf.get(OLD_API.mappingKey, MapRunner.class.getName());
    }

    /** The input format's name before {@link #replace}. */
    public String inputFormat(Configuration conf) {
        return conf.get(inputFormatKey, defaultInputFormat.getName());
    }

    /** Puts ours in the place of the job's own, whose names are kept. */
    public void replace(Configuration conf, StandIns ours) {
        conf.set(IncoopKeys.MAPPER, mapper(conf));
        conf.set(IncoopKeys.INPUT_FORMAT, inputFormat(conf));
        if (this == OLD_API) {
            conf.set(IncoopKeys.MAP_RUNNER, mapRunner(conf));
        }
        conf.set(mappingKey, ours.mapping());
        conf.set(inputFormatKey, ours.inputFormat());
    }

    /**
     * Undoes {@link #replace} for a moment.
     *
     * @return what it had put there
     */
    StandIns showOwn(Configuration conf) {
        StandIns ours = new StandIns(conf.get(mappingKey), conf.get(inputFormatKey));
        if (this == NEW_API) {
            conf.set(mapperKey, conf.get(IncoopKeys.MAPPER));
        }
        conf.set(inputFormatKey, conf.get(IncoopKeys.INPUT_FORMAT));
        return ours;
    }
}
