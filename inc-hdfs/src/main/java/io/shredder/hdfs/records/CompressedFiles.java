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

    /** Why the records of a file can't be kept whole, if it is compressed as a whole. */
    static Optional<String> refusal(Path file, CompressionCodecFactory codecs) {
        CompressionCodec codec = codecs.getCodec(file);
        if (codec == null) {
            return Optional.empty();
        }
        String why = codec instanceof SplittableCompressionCodec
                ? "whose blocks end between bits, not at record ends"
                : "so no record begins or ends at a byte of the file";
        return Optional.of("MapReduce reads " + codec.getDefaultExtension() + " files decompressed, " + why
                + ": decompress it first, or use -inputFormat raw");
    }
}
