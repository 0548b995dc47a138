// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.header.IncompleteHeaderException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Collects a file's first bytes until they are a whole header. */
final class HeaderBytes<H> {

    /** Parses a header from its start; see {@link io.shredder.chunk.header.SequenceFileHeader#parse}. */
    interface Parser<H> {
        H parse(ByteBuffer start, String file) throws IncompleteHeaderException, DamagedDataException;
    }

    private final Parser<H> parser;
    private final String file;
    private byte[] bytes = new byte[256];
    private int count;
    private long needed;

    HeaderBytes(Parser<H> parser, String file) {
        this.parser = parser;
        this.file = file;
    }

    /** Takes one more byte; gives the header if this was its last. */
    @Nullable
    H add(byte b) throws DamagedDataException {
        if (count == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * count);
        }
        bytes[count++] = b;
        if (count < needed) {
            return null;
        }
        try {
            return parser.parse(ByteBuffer.wrap(bytes, 0, count), file);
        } catch (IncompleteHeaderException e) {
            needed = e.bytesNeeded();
            return null;
        }
    }
}
