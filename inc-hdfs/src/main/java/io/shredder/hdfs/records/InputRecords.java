// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * Knows the records of some InputFormats; found with {@link java.util.ServiceLoader}, so that a jar on the class path
 * can add its own. Implementations are stateless and safe for use by several threads.
 *
 * <p>A service for records of eight bytes each, named in
 * {@code META-INF/services/io.shredder.hdfs.records.InputRecords}, has a {@link RecordFormat} that calls them, say,
 * {@code points}, and opens boundaries such as these:
 *
 * <pre>{@code
 * final class Eights implements RecordBoundaries {
 *     private long offset;
 *     public void skip(ByteBuffer data) {
 *         offset += data.remaining();
 *         data.position(data.limit());
 *     }
 *     public boolean findEnd(ByteBuffer data) {
 *         for (; data.hasRemaining(); offset++, data.get()) {
 *             if (offset % 8 == 0) {
 *                 return true;
 *             }
 *         }
 *         return false;
 *     }
 * }
 * }</pre>
 *
 * Incremental jobs read the chunks with the other half, {@code io.shredder.incoop.format.ChunkFormat}.
 */
public interface InputRecords {

    /**
     * The records that {@code inputFormat} reads.
     *
     * @param inputFormat a short name such as {@code text}, or the class name of an InputFormat
     * @param conf what a job would be configured with, such as a delimiter
     * @return empty if this service does not know {@code inputFormat}
     * @throws IllegalArgumentException if it does, but {@code conf} has a value that it can't serve
     */
    Optional<RecordFormat> find(String inputFormat, Configuration conf);

    /** What this service serves, for error and help texts, such as {@code text, raw}. */
    String served();

    /** One kind of records, as configured. */
    interface RecordFormat {

        /** The name that manifests carry ({@code docs/formats/manifest.md}): equal names, equal records. */
        String manifestName();

        /**
         * Why the bytes of this very file have no records, or empty if they have. For instance, its name may make the
         * InputFormat decompress it. Such a file is cut anywhere, as with {@code raw}, and the user told so.
         */
        Optional<String> opaque(Path file);

        /**
         * How many bytes before a position tell the record ends behind it, so that files can be cut in parts; empty if
         * all of them do.
         */
        default OptionalInt contextBytes() {
            return OptionalInt.empty();
        }

        /**
         * Boundaries for one stream, from its start.
         *
         * @param file for errors
         */
        RecordBoundaries open(String file);
    }
}
