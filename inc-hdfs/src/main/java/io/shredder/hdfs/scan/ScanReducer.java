// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import io.shredder.chunk.Manifest;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import io.shredder.hdfs.records.InputRecords.RecordFormat;
import io.shredder.hdfs.scan.ScanRecords.Outcome;
import io.shredder.hdfs.scan.ScanRecords.PartResult;
import io.shredder.hdfs.scan.digests.ListedDigests;
import io.shredder.hdfs.scan.plan.GpuRequest;
import io.shredder.hdfs.scan.plan.LastAttempt;
import io.shredder.hdfs.scan.plan.ScanSettings;
import io.shredder.hdfs.scan.plan.ScannedFile;
import io.shredder.hdfs.scan.plan.TaskRecords;
import io.shredder.hdfs.scan.report.ChunkSampler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Reducer;
import org.jspecify.annotations.Nullable;

/** Brings the parts of each file together, and writes its manifest, or down its digests, if that is wanted. */
public final class ScanReducer extends Reducer<BytesWritable, BytesWritable, NullWritable, BytesWritable> {

    private static final long STEP_BYTES = 16 << 20;

    private @Nullable ScanSettings settings;
    private @Nullable Shredder engine;
    private @Nullable ChunkSampler sampler;
    private @Nullable ListedDigests digests;

    @Override
    protected void setup(Context context) {
        settings = ScanSettings.of(context.getConfiguration());
        if (ChunkSampler.isWanted(context.getConfiguration())) {
            sampler = new ChunkSampler(context);
        }
        if (ListedDigests.isWanted(context.getConfiguration())) {
            digests = new ListedDigests(context);
        }
    }

    @Override
    protected void reduce(BytesWritable key, Iterable<BytesWritable> values, Context context)
            throws IOException, InterruptedException {
        ScannedFile file = TaskRecords.read(key, ScannedFile::read);
        List<PartResult> parts = new ArrayList<>();
        for (BytesWritable value : values) {
            parts.add(TaskRecords.read(value, PartResult::read));
        }
        Outcome outcome = finish(file, parts, context);
        context.write(NullWritable.get(), TaskRecords.of(outcome::write));
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
        if (engine != null) {
            engine.close();
        }
        if (sampler != null) {
            sampler.close();
        }
        if (digests != null) {
            digests.close();
        }
    }

    private Outcome finish(ScannedFile file, List<PartResult> parts, Context context)
            throws IOException, InterruptedException {
        Optional<String> failure = parts.stream()
                .map(PartResult::failure)
                .filter(text -> !text.isEmpty())
                .findFirst();
        if (failure.isPresent()) {
            return failed(file, failure.get());
        }
        try {
            return merge(file, parts, context);
        } catch (IOException e) {
            if (LastAttempt.is(context, MRJobConfig.REDUCE_MAX_ATTEMPTS)) {
                return failed(file, LastAttempt.reason(e));
            }
            throw e;
        }
    }

    private static Outcome failed(ScannedFile file, String why) {
        return new Outcome(file, 0, false, why);
    }

    private Outcome merge(ScannedFile file, List<PartResult> parts, Context context)
            throws IOException, InterruptedException {
        Configuration conf = context.getConfiguration();
        ScanSettings own = Objects.requireNonNull(settings, "not set up");
        RecordFormat records = own.recordsOf(file.path());
        FileSystem fs = file.path().getFileSystem(conf);
        List<RangeChunks> chunks = parts.stream()
                .map(PartResult::chunks)
                .sorted(Comparator.comparingLong(RangeChunks::start))
                .toList();
        Manifest.Builder manifest = Manifest.builder(own.params()).recordFormat(records.manifestName());
        RangeMerge merge = new RangeMerge(
                file.length(), (start, end) -> between(fs, file, own, start, end, context), STEP_BYTES, manifest);
        merge.merge(chunks);
        Manifest merged = manifest.build();
        if (sampler != null) {
            sampler.add(merged, file.group());
        }
        if (digests != null) {
            if (ScannedManifest.asScanned((DistributedFileSystem) fs, file).isEmpty()) {
                return failed(file, ScannedManifest.CHANGED);
            }
            digests.add(file, merged);
        }
        Optional<String> failure = conf.getBoolean(ScanSettings.WRITE_KEY, false)
                ? ScannedManifest.write((DistributedFileSystem) fs, file, merged)
                : Optional.of("");
        return new Outcome(file, merged.chunks().size(), failure.isEmpty(), failure.orElse(""));
    }

    private RangeChunks between(
            FileSystem fs, ScannedFile file, ScanSettings own, long start, long end, Context context)
            throws IOException {
        Configuration conf = context.getConfiguration();
        if (engine == null) {
            engine = Shredder.open(ShredderOptions.builder()
                    .on(GpuRequest.ofReduces(own, conf))
                    .bufferBytes(1 << 20)
                    .cpuThreads(1)
                    .build());
        }
        try (RangeFile open = new RangeFile(file.path().toString(), fs.open(file.path()), file.length())) {
            return new RangeChunker(engine, own.params(), own.recordsOf(file.path()))
                    .chunk(open, start, end, context::progress);
        }
    }
}
