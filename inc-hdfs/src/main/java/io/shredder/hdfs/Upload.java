// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import io.shredder.chunk.Manifest;
import io.shredder.engine.ChunkBatch;
import io.shredder.engine.Shredder;
import io.shredder.hdfs.records.RecordAligner;
import java.io.IOException;
import java.util.function.LongConsumer;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.io.IOUtils;

/**
 * START HERE. A local file's way into HDFS: the engine cuts it into chunks and segments, cuts move to record ends, chunks
 * are written and digested, a segment's end ends an HDFS block, and what was written is checked and published together
 * with its manifest. Nothing is left behind if a step fails.
 *
 * <p>The engine reads ahead on its own threads; everything here happens on the calling thread, so a slow HDFS holds the
 * reader back.
 */
final class Upload {

    private final Shredder engine;
    private final UploadOptions options;

    /** @param engine stays the caller's to close */
    Upload(Shredder engine, UploadOptions options) {
        this.engine = engine;
        this.options = options;
    }

    /**
     * Copies {@code source} to {@code destination}.
     *
     * @param progress told the number of bytes written so far
     * @throws IOException if a step failed; {@code destination} must still be closed, which removes what was written
     */
    UploadSummary copy(UploadSource source, HdfsDestination destination, LongConsumer progress) throws IOException {
        long startNanos = System.nanoTime();
        HdfsDataOutputStream out = destination.create(options.plan().preferredBytes());
        Manifest manifest;
        try {
            manifest = write(source, out, progress);
            out.close();
        } finally {
            IOUtils.closeStream(out); // after a failure HDFS throws the same exception once more: not to be told twice
        }
        int blocks = destination.publish(manifest);
        long nanos = System.nanoTime() - startNanos;
        return new UploadSummary(manifest.length(), manifest.chunks().size(), blocks, nanos, engine.backendName());
    }

    /** The chunks as written: the manifest, not bound to a file yet. */
    private Manifest write(UploadSource source, HdfsDataOutputStream out, LongConsumer progress) throws IOException {
        BlockPlan plan = options.plan();
        Manifest.Builder manifest =
                Manifest.builder(plan.params()).recordFormat(options.records().manifestName());
        SegmentedFileWriter writer = new SegmentedFileWriter(source.name(), out, plan, manifest, progress);
        RecordAligner aligner = new RecordAligner(options.records().open(source.name()), writer);
        source.chunk(engine, plan.params(), batch -> align(batch, aligner));
        aligner.finish();
        return manifest.build();
    }

    private static void align(ChunkBatch batch, RecordAligner aligner) throws IOException {
        for (int i = 0; i < batch.count(); i++) {
            aligner.accept(batch.data(i), batch.segmentEnd(i));
        }
    }
}
