// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import io.shredder.chunk.Manifest;
import io.shredder.engine.ChunkBatch;
import io.shredder.engine.Shredder;
import io.shredder.hdfs.records.RecordAligner;
import java.io.IOException;
import java.util.function.LongConsumer;

/**
 * START HERE. A local file's way into HDFS: the engine cuts it into chunks and segments, cuts move to record ends, and
 * several segments at once are digested and written, each as blocks of its own. Then what was written becomes one file,
 * is checked and is published together with its manifest. Nothing is left behind if a step fails.
 *
 * <p>The engine reads ahead on its own threads, the calling thread moves the cuts and copies the bytes, {@link
 * UploadOptions#threads} threads write. Between them lie the engine's ring and {@link UploadOptions#bufferBytes} bytes
 * of buffers, no more: a slow HDFS holds the reader back.
 */
public final class Upload {

    private final Shredder engine;
    private final UploadOptions options;

    /** @param engine stays the caller's to close */
    public Upload(Shredder engine, UploadOptions options) {
        this.engine = engine;
        this.options = options;
    }

    /**
     * Copies {@code source} to {@code destination}.
     *
     * @param progress told the number of bytes written so far, on several threads
     * @throws IOException if a step failed; {@code destination} must still be closed, which removes what was written
     */
    public UploadSummary copy(UploadSource source, HdfsDestination destination, LongConsumer progress)
            throws IOException {
        long startNanos = System.nanoTime();
        try {
            SegmentedFile file = destination.create(options);
            Manifest manifest = write(source, file, progress);
            PublishedBlocks blocks = destination.publish(file.finish(), manifest);
            long nanos = System.nanoTime() - startNanos;
            return new UploadSummary(manifest.length(), manifest.chunks().size(), blocks, nanos, engine.backendName());
        } catch (IOException e) {
            throw destination.explain(e);
        }
    }

    /** The chunks as written: the manifest, not bound to a file yet. */
    private Manifest write(UploadSource source, SegmentedFile file, LongConsumer progress) throws IOException {
        BlockPlan plan = options.plan();
        Manifest.Builder manifest =
                Manifest.builder(plan.params()).recordFormat(options.records().manifestName());
        try (SegmentWriters writers = new SegmentWriters(source.name(), file, plan, options.bufferBytes(), progress)) {
            RecordAligner aligner = new RecordAligner(options.records().open(source.name()), plan.fit(writers));
            source.chunk(engine, plan.params(), batch -> align(batch, aligner));
            aligner.finish();
            writers.addTo(manifest);
        }
        return manifest.build();
    }

    private static void align(ChunkBatch batch, RecordAligner aligner) throws IOException {
        for (int i = 0; i < batch.count(); i++) {
            aligner.accept(batch.data(i), batch.segmentEnd(i));
        }
    }
}
