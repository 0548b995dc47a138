// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * What somebody else would write for an InputFormat of their own, whose records have 8 bytes: the example in
 * {@link InputRecords}.
 */
public final class PointRecords implements InputRecords {

    @Override
    public Optional<RecordFormat> find(String inputFormat, Configuration conf) {
        return inputFormat.equals("org.example.PointInputFormat") ? Optional.of(new Points()) : Optional.empty();
    }

    @Override
    public String served() {
        return "PointInputFormat";
    }

    private static final class Points implements RecordFormat {

        @Override
        public String manifestName() {
            return "points";
        }

        @Override
        public Optional<String> opaque(Path file) {
            return Optional.empty();
        }

        @Override
        public RecordBoundaries open(String file) {
            return new Eights();
        }
    }

    private static final class Eights implements RecordBoundaries {

        private long offset;

        @Override
        public void skip(ByteBuffer data) {
            offset += data.remaining();
            data.position(data.limit());
        }

        @Override
        public boolean findEnd(ByteBuffer data) {
            for (; data.hasRemaining(); offset++, data.get()) {
                if (offset % 8 == 0) {
                    return true;
                }
            }
            return false;
        }
    }
}
