// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.input.InputChunk;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/**
 * A split of a job without reducers that has to be mapped.
 *
 * @param number of its map task in a plain run, which names its part file
 * @param part of a file that it is
 * @param known what its result may be kept under; empty if it is not kept
 */
public record PlannedSplit(int number, Part part, Optional<KnownBytes> known) {

    /** Where a split lies; the path is qualified, the offsets are in bytes. Empty path: it is no part of a file. */
    public record Part(String path, long start, long length) {

        /** That of a split. */
        public static Part of(Optional<FileSplit> split) {
            return split.map(found -> new Part(found.getPath().toString(), found.getStart(), found.getLength()))
                    .orElse(new Part("", 0, 0));
        }
    }

    /**
     * The bytes that a split's result follows from.
     *
     * @param key what the memo store knows the result by
     * @param state of the file before its chunks were looked up
     * @param chunks that its reader reads of, in order and without gaps
     */
    public record KnownBytes(Fingerprint key, String state, List<InputChunk> chunks) {

        public KnownBytes {
            chunks = List.copyOf(chunks);
        }
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(number);
        out.writeUTF(part.path());
        out.writeLong(part.start());
        out.writeLong(part.length());
        out.writeBoolean(known.isPresent());
        if (known.isPresent()) {
            out.write(known.get().key().toBytes());
            out.writeUTF(known.get().state());
            InputChunk.write(out, known.get().chunks());
        }
    }

    static PlannedSplit read(DataInput in) throws IOException {
        int number = in.readInt();
        Part part = new Part(in.readUTF(), in.readLong(), in.readLong());
        if (!in.readBoolean()) {
            return new PlannedSplit(number, part, Optional.empty());
        }
        byte[] key = new byte[Fingerprint.BYTES];
        in.readFully(key);
        String state = in.readUTF();
        List<InputChunk> chunks = new ArrayList<>(InputChunk.read(in));
        return new PlannedSplit(number, part, Optional.of(new KnownBytes(Fingerprint.of(key), state, chunks)));
    }
}
