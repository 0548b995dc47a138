// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * Reads chunks for some InputFormats. Found with {@link java.util.ServiceLoader} on the job's class path, so that a
 * job's jar can bring one for its own InputFormat; the upload needs the other half,
 * {@code io.shredder.hdfs.records.InputRecords}, which finds the record ends. Implementations are stateless and safe
 * for use by several threads.
 *
 * <p>Where keys and values follow from what the file holds, and not from where, the InputFormat's own reader will do:
 *
 * <pre>{@code
 * public final class PointChunks implements ChunkFormat {
 *     public Optional<ChunkRecords> find(Class<?> inputFormat, Configuration conf) {
 *         return inputFormat == PointInputFormat.class
 *                 ? Optional.of(new ViewedRecords("points", inputFormat, ViewedRecords.HeaderLength.NONE))
 *                 : Optional.empty();
 *     }
 *     public String served() {
 *         return "PointInputFormat";
 *     }
 * }
 * }</pre>
 *
 * and its name in {@code META-INF/services/io.shredder.incoop.format.ChunkFormat}. The files' manifests must say
 * {@code points}, which is the upload service's {@code manifestName}.
 */
public interface ChunkFormat {

    /**
     * How {@code inputFormat} reads chunks. Answer for exactly the classes that are known: a subclass may read other
     * records. One that adds nothing to a known class is looked for under that one's name.
     *
     * @param inputFormat an InputFormat of either MapReduce API
     * @param conf the job's configuration
     * @return empty if this service does not know {@code inputFormat}
     * @throws UnservedFormatException if it does, but {@code conf} asks for what chunks can't give
     */
    Optional<ChunkRecords> find(Class<?> inputFormat, Configuration conf) throws UnservedFormatException;

    /** What this service serves, for messages, such as {@code TextInputFormat, KeyValueTextInputFormat}. */
    String served();
}
