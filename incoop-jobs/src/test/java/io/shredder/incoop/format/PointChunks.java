// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** What somebody else would write for an InputFormat of their own: the example in {@link ChunkFormat}. */
public final class PointChunks implements ChunkFormat {

    @Override
    public Optional<ChunkRecords> find(Class<?> inputFormat, Configuration conf) {
        return inputFormat == PointInputFormat.class
                ? Optional.of(new ViewedRecords("points", inputFormat, ViewedRecords.HeaderLength.NONE))
                : Optional.empty();
    }

    @Override
    public String served() {
        return "PointInputFormat";
    }
}
