// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import io.shredder.chunk.ChunkingParams;
import io.shredder.engine.ChunkBatch;
import io.shredder.engine.Shredder;
import io.shredder.hdfs.records.InputRecords.RecordFormat;
import io.shredder.hdfs.records.RecordAligner;
import io.shredder.hdfs.records.RecordBoundaries;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalInt;

/**
 * Cuts parts of files, each as if there were a cut where it begins. That is right where there is one, as then no byte
 * before has a say ({@code docs/formats/chunking.md}, section 3); elsewhere it is right from the first cut on that the
 * file has, too. For one thread.
 */
final class RangeChunker {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int READ_BYTES = 64 << 10;

    private final Shredder engine;
    private final ChunkingParams params;
    private final RecordFormat records;

    /**
     * @param engine stays the caller's to close
     * @param params without segments
     */
    RangeChunker(Shredder engine, ChunkingParams params, RecordFormat records) {
        this.engine = engine;
        this.params = params;
        this.records = records;
    }

    /**
     * The chunks that begin with cuts from {@code start} to before {@code end}.
     *
     * @param end not before {@code start}; the file's length at most
     * @param progress called now and then
     */
    RangeChunks chunk(RangeFile file, long start, long end, Runnable progress) throws IOException {
        RecordBoundaries boundaries = records.open(file.name());
        if (start > 0) {
            boundaries.skip(context(file, start));
        }
        RangeCollector collector = new RangeCollector(params.digest(), start, end);
        RecordAligner aligner = new RecordAligner(boundaries, collector);
        if (start > 0) {
            aligner.accept(NOTHING.duplicate(), false);
        }
        // The next cut behind the last one before the end is there.
        long limit = Math.min(file.length(), end + params.maxBytes());
        engine.chunk(file.channel(start, limit), params, false, batch -> {
            progress.run();
            take(batch, aligner, collector, limit);
        });
        finish(file, limit, aligner, collector);
        return collector.chunks();
    }

    private ByteBuffer context(RangeFile file, long start) throws IOException {
        OptionalInt bytes = records.contextBytes();
        int length = (int) Math.min(
                start, bytes.orElseThrow(() -> new IllegalArgumentException(records + " can't be cut in parts")));
        return file.read(start - length, length);
    }

    /** What comes after the last chunk was cut is scanned for nothing; it is a chunk's length at most. */
    private static void take(ChunkBatch batch, RecordAligner aligner, RangeCollector collector, long limit)
            throws IOException {
        for (int i = 0; i < batch.count() && !collector.isDone(); i++) {
            aligner.accept(batch.data(i), false);
            long cut = collector.start() + batch.offset(i) + batch.length(i);
            boolean real = cut < limit; // The stream's end is none, be it the file's.
            if (real && !collector.isDone()) {
                collector.cut(cut);
            }
        }
    }

    /** Reads on to the end of the last record. */
    private static void finish(RangeFile file, long limit, RecordAligner aligner, RangeCollector collector)
            throws IOException {
        long at = limit;
        while (!collector.isDone() && at < file.length()) {
            ByteBuffer piece = file.read(at, (int) Math.min(READ_BYTES, file.length() - at));
            at += piece.remaining();
            aligner.accept(piece, false);
        }
        if (!collector.isDone()) {
            aligner.finish();
        }
    }
}
