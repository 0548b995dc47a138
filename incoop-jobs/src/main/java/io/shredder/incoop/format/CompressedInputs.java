// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;

/** Files that InputFormats decompress because of their names. */
final class CompressedInputs {

    private CompressedInputs() {}

    /** Why chunks of a file can't be read, if it is compressed as a whole. */
    static Optional<String> refusal(Path file, CompressionCodecFactory codecs) {
        CompressionCodec codec = codecs.getCodec(file);
        return codec == null
                ? Optional.empty()
                : Optional.of(file + " is compressed (" + codec.getDefaultExtension()
                        + "): what its records are can't be told from a part of its bytes");
    }
}
