// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.formats;

import io.shredder.hdfs.records.InputRecords.RecordFormat;
import io.shredder.hdfs.records.RecordAligner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/** What an upload makes of a file: the ends of its chunks. */
final class ChunkedFile {

    private ChunkedFile() {}

    /** Cuts at random places, some of them segment ends, and moves the cuts to record ends as an upload does. */
    static List<Integer> chunkEnds(RecordFormat format, byte[] data, Random random) throws IOException {
        TreeSet<Integer> cuts = new TreeSet<>(List.of(data.length));
        for (int i = random.nextInt(12); i > 0; i--) {
            cuts.add(1 + random.nextInt(data.length));
        }
        Ends ends = new Ends();
        RecordAligner aligner = new RecordAligner(format.open("test"), ends);
        int from = 0;
        for (int cut : cuts) {
            aligner.accept(ByteBuffer.wrap(data, from, cut - from).asReadOnlyBuffer(), random.nextInt(3) == 0);
            from = cut;
        }
        aligner.finish();
        return ends.ends;
    }

    private static final class Ends implements RecordAligner.Sink {

        private final List<Integer> ends = new ArrayList<>();
        private int position;

        @Override
        public void data(ByteBuffer piece) {
            position += piece.remaining();
        }

        @Override
        public void endChunk(boolean segmentEnd) {
            ends.add(position);
        }
    }
}
