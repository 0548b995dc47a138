// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import io.shredder.incoop.task.IncrementalInputFormat;
import io.shredder.incoop.task.IncrementalMapRunner;
import io.shredder.incoop.task.IncrementalMapper;
import io.shredder.incoop.task.IncrementalOldInputFormat;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.MapRunner;
import org.apache.hadoop.mapred.lib.IdentityMapper;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;

/** Which classes of a job give way to ours, by the API of its mapper. */
enum ReplacedClasses {
    /** {@code org.apache.hadoop.mapreduce}: the mapper and the input format. */
    NEW_API(
            MRJobConfig.MAP_CLASS_ATTR,
            Mapper.class,
            MRJobConfig.INPUT_FORMAT_CLASS_ATTR,
            TextInputFormat.class,
            IncrementalInputFormat.class) {
        @Override
        void replaceMapper(Configuration conf) {
            conf.set(MRJobConfig.MAP_CLASS_ATTR, IncrementalMapper.class.getName());
        }
    },
    /** {@code org.apache.hadoop.mapred}: the runner, which makes the mapper, and the input format. */
    OLD_API(
            "mapred.mapper.class",
            IdentityMapper.class,
            "mapred.input.format.class",
            org.apache.hadoop.mapred.TextInputFormat.class,
            IncrementalOldInputFormat.class) {
        @Override
        void replaceMapper(Configuration conf) {
            conf.set(IncoopKeys.MAP_RUNNER, mapRunner(conf));
            conf.set(MAP_RUNNER, IncrementalMapRunner.class.getName());
        }
    };

    /** Whether a job's mapper is one of the new API; set by {@code Job.submit}. */
    static final String NEW_MAPPER = "mapred.mapper.new-api";

    /** What runs the mapper of a job of the old API. */
    static final String MAP_RUNNER = "mapred.map.runner.class";

    private final String mapperKey;
    private final Class<?> defaultMapper;
    private final String inputFormatKey;
    private final Class<?> defaultInputFormat;
    private final Class<?> ourInputFormat;

    ReplacedClasses(
            String mapperKey,
            Class<?> defaultMapper,
            String inputFormatKey,
            Class<?> defaultInputFormat,
            Class<?> ourInputFormat) {
        this.mapperKey = mapperKey;
        this.defaultMapper = defaultMapper;
        this.inputFormatKey = inputFormatKey;
        this.defaultInputFormat = defaultInputFormat;
        this.ourInputFormat = ourInputFormat;
    }

    static ReplacedClasses of(Configuration conf) {
        return conf.getBoolean(NEW_MAPPER, false) ? NEW_API : OLD_API;
    }

    /** The mapper's name before {@link #replace}. */
    String mapper(Configuration conf) {
        return conf.get(mapperKey, defaultMapper.getName());
    }

    /** What runs a mapper of the old API, before {@link #replace}. */
    static String mapRunner(Configuration conf) {
        return conf.get(MAP_RUNNER, MapRunner.class.getName());
    }

    /** The input format's name before {@link #replace}. */
    String inputFormat(Configuration conf) {
        return conf.get(inputFormatKey, defaultInputFormat.getName());
    }

    /** Puts ours in the place of the job's own, whose names are kept. */
    void replace(Configuration conf) {
        conf.set(IncoopKeys.MAPPER, mapper(conf));
        conf.set(IncoopKeys.INPUT_FORMAT, inputFormat(conf));
        replaceMapper(conf);
        conf.set(inputFormatKey, ourInputFormat.getName());
    }

    /** Undoes {@link #replace} for a moment. */
    void showOwn(Configuration conf) {
        if (this == NEW_API) {
            conf.set(mapperKey, conf.get(IncoopKeys.MAPPER));
        }
        conf.set(inputFormatKey, conf.get(IncoopKeys.INPUT_FORMAT));
    }

    abstract void replaceMapper(Configuration conf);
}
