// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.io.compress.SplittableCompressionCodec;

/** Files that InputFormats decompress because of their names. */
final class CompressedFiles {

    private CompressedFiles() {}

    /** Why the bytes of a file have no records, if it is compressed as a whole. */
    static Optional<String> opaque(Path file, CompressionCodecFactory codecs) {
        CompressionCodec codec = codecs.getCodec(file);
        if (codec == null) {
            return Optional.empty();
        }
        String why = codec instanceof SplittableCompressionCodec
                ? "whose blocks end between bits, not at record ends"
                : "so no record begins or ends at a byte of the file";
        return Optional.of("MapReduce reads " + codec.getDefaultExtension() + " files decompressed, " + why
                + ": it is cut anywhere, and jobs map all of it");
    }
}
