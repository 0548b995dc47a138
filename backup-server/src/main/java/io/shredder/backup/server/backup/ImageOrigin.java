// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.client.Pace;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SkippedRange;
import io.shredder.backup.server.cache.ChunkTagging;
import io.shredder.backup.server.compare.ImageComparison;
import io.shredder.backup.server.compare.ImageThreads;
import io.shredder.backup.server.source.ImageChunker;
import io.shredder.backup.server.source.ImageSource;
import io.shredder.backup.server.source.SharedImage;
import io.shredder.backup.server.stage.BackupTimes;
import io.shredder.backup.server.stage.CoresShare;
import io.shredder.chunk.ChunkingParams;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.util.List;

/**
 * The chunks of an image that can be read anywhere: only what changed since the last snapshot is cut and digested,
 * where a cache tells.
 */
final class ImageOrigin implements ChunkOrigin {

    private final SharedImage image;
    private final Shredder engine;
    private final RepositoryKey key;
    private final Pace readPace;
    private final CoresShare cores;

    ImageOrigin(ImageSource image, Shredder engine, RepositoryKey key, Pace readPace, CoresShare cores) {
        this.cores = cores;
        this.image = new SharedImage(image);
        this.engine = engine;
        this.key = key;
        this.readPace = readPace;
    }

    @Override
    public void chunk(LastSnapshot last, ChunkingParams params, ChunkHandOver chunks, BackupTimes times)
            throws IOException {
        if (last.cache().isPresent()) {
            new ImageComparison(
                            engine,
                            params,
                            ChunkTagging.under(key),
                            readPace,
                            new ImageThreads(cores.threads(), cores.cores().preparing(), cores.share()),
                            times)
                    .chunk(image, last.cache().get(), chunks);
        } else {
            int readers = cores.cores().preparing();
            new ImageChunker(engine, params, readPace, readers, cores.share().weight(), times).chunk(image, chunks);
        }
    }

    @Override
    public long imageBytes() {
        return image.imageBytes();
    }

    @Override
    public ExpectedChunks expected(LastSnapshot last) {
        return last.expected();
    }

    @Override
    public byte[] bytes(long offset, int count) throws IOException {
        return image.bytes(offset, count);
    }

    @Override
    public Remarks remarks(Remarks given, long imageBytes) throws IOException {
        List<SkippedRange> skipped = image.skipped().stream()
                .map(range -> new SkippedRange(range.offset(), range.bytes()))
                .toList();
        return given.withFindings(skipped, image.change());
    }
}
