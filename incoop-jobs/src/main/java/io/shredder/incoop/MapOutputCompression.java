// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import io.shredder.incoop.config.IncoopKeys;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.util.ReflectionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compresses the map output of a job that does not do so itself, since the memo store keeps it: the kept segments are
 * what a map task would have served. A job's own choice of a codec stays.
 */
final class MapOutputCompression {

    private static final Logger LOG = LoggerFactory.getLogger(MapOutputCompression.class);

    private MapOutputCompression() {}

    /** @throws IllegalArgumentException if {@code incoop.memo.codec} names no codec */
    static void install(Configuration conf) {
        if (conf.getBoolean(MRJobConfig.MAP_OUTPUT_COMPRESS, false)) {
            return;
        }
        Optional<Class<? extends CompressionCodec>> codec = IncoopKeys.memoCodec(conf);
        if (codec.isPresent() && works(codec.get(), conf)) {
            conf.set(MRJobConfig.MAP_OUTPUT_COMPRESS_CODEC, codec.get().getName());
            conf.setBoolean(MRJobConfig.MAP_OUTPUT_COMPRESS, true);
        }
    }

    /** Whether its native library, if it has one, can be loaded here. */
    private static boolean works(Class<? extends CompressionCodec> type, Configuration conf) {
        CompressionCodec codec = ReflectionUtils.newInstance(type, conf);
        try (OutputStream out = codec.createOutputStream(new ByteArrayOutputStream())) {
            out.write(0);
            return true;
        } catch (IOException | RuntimeException | LinkageError e) {
            LOG.warn(
                    "incoop: the memo store is not compressed: {} does not work here ({}); set {} to another codec or to nothing",
                    type.getName(),
                    e.toString(),
                    IncoopKeys.MEMO_CODEC);
            return false;
        }
    }
}
