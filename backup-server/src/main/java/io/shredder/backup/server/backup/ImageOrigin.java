// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.pace.Pace;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SkippedRange;
import io.shredder.backup.server.cache.ChunkTagging;
import io.shredder.backup.server.changes.ChangeTracker;
import io.shredder.backup.server.compare.ImageComparison;
import io.shredder.backup.server.compare.ImageThreads;
import io.shredder.backup.server.source.ImageChunker;
import io.shredder.backup.server.source.ImageSource;
import io.shredder.backup.server.source.ReadImage;
import io.shredder.backup.server.source.RecentBytes;
import io.shredder.backup.server.source.SharedImage;
import io.shredder.backup.server.stage.BackupTimes;
import io.shredder.backup.server.stage.CoresShare;
import io.shredder.backup.server.trust.ProvedSeries;
import io.shredder.chunk.ChunkingParams;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The chunks of an image that can be read anywhere: only what changed since the last snapshot is cut and digested,
 * where a cache tells.
 */
final class ImageOrigin implements ChunkOrigin {

    private final ReadImage read;
    private SharedImage image;
    private final Shredder engine;
    private final RepositoryKey key;
    private final Pace readPace;
    private final CoresShare cores;
    private final Optional<ChangeTracker> tracker;
    private Optional<TrackedRead> tracked = Optional.empty();

    ImageOrigin(
            ImageSource image,
            Shredder engine,
            RepositoryKey key,
            Pace readPace,
            CoresShare cores,
            Optional<ChangeTracker> tracker) {
        this.tracker = tracker;
        this.cores = cores;
        this.read = new ReadImage(image);
        this.image = new SharedImage(read);
        this.engine = engine;
        this.key = key;
        this.readPace = readPace;
    }

    @Override
    public void begin(ProvedSeries series, LastSnapshot last) throws IOException {
        TrackedRead decided = TrackedRead.of(tracker, series, last.cache().isPresent());
        tracked = Optional.of(decided);
        if (!decided.check().readsAll()) {
            image = new SharedImage(new RecentBytes(read));
        }
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
                    .chunk(image, last.cache().get(), tracked.orElseThrow().check(), chunks);
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
        return tracked.orElseThrow().remarks(given).withFindings(skipped, image.change());
    }

    @Override
    public ImageReading reading() {
        return tracked.orElseThrow().reading(read.bytes());
    }
}
