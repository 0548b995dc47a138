// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.input;

import io.shredder.incoop.config.OwnClasses;
import io.shredder.incoop.format.ChunkFormats;
import io.shredder.incoop.format.ChunkRecords;
import io.shredder.incoop.format.UnservedFormatException;
import org.apache.hadoop.conf.Configuration;

/** How a job's input formats read chunks. */
public final class InputFormats {

    private InputFormats() {}

    /**
     * The records that a tag's files hold.
     *
     * @throws UnservedFormatException if they can't be read from a chunk
     */
    public static ChunkRecords records(InputTag tag, Configuration conf)
            throws UnservedFormatException, ClassNotFoundException {
        Class<?> format = tag.isNone() ? OwnClasses.inputFormat(conf) : conf.getClassByName(tag.inputFormat());
        return ChunkFormats.find(format, conf);
    }
}
