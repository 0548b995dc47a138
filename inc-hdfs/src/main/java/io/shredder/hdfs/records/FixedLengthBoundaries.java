// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;

/** Records of so many bytes each. */
final class FixedLengthBoundaries implements RecordBoundaries {

    private final int recordBytes;
    private final String file;
    private long offset;

    /** @param recordBytes at least 1 */
    FixedLengthBoundaries(int recordBytes, String file) {
        this.recordBytes = recordBytes;
        this.file = file;
    }

    @Override
    public void skip(ByteBuffer data) {
        offset += data.remaining();
        data.position(data.limit());
    }

    @Override
    public boolean findEnd(ByteBuffer data) {
        long missing = (recordBytes - offset % recordBytes) % recordBytes;
        if (missing >= data.remaining()) {
            skip(data);
            return false;
        }
        data.position(data.position() + (int) missing);
        offset += missing;
        return true;
    }

    @Override
    public void finish() throws DamagedDataException {
        long part = offset % recordBytes;
        if (part != 0) {
            throw new DamagedDataException(
                    file, offset - part, "the last record has " + part + " of " + recordBytes + " bytes");
        }
    }
}
