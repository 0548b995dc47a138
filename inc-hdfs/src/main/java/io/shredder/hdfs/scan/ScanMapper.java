// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import io.shredder.engine.BackendUnavailableException;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import io.shredder.hdfs.scan.ScanRecords.PartResult;
import io.shredder.hdfs.scan.plan.GpuRequest;
import io.shredder.hdfs.scan.plan.LastAttempt;
import io.shredder.hdfs.scan.plan.ScanSettings;
import io.shredder.hdfs.scan.plan.ScanSplit;
import io.shredder.hdfs.scan.plan.ScanSplit.Part;
import io.shredder.hdfs.scan.plan.ScannedFile;
import io.shredder.hdfs.scan.plan.TaskRecords;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;

/** Cuts the parts of its split. */
public final class ScanMapper extends Mapper<NullWritable, NullWritable, BytesWritable, BytesWritable> {

    /** Many short files need no long buffers. */
    private static final int BUFFER_BYTES = 4 << 20;

    @Override
    public void run(Context context) throws IOException, InterruptedException {
        Configuration conf = context.getConfiguration();
        ScanSettings settings = ScanSettings.of(conf);
        try (Shredder engine = open(settings, conf)) {
            for (Part part : ((ScanSplit) context.getInputSplit()).parts()) {
                PartResult result = scan(engine, settings, part, context);
                context.write(TaskRecords.of(part.file()::write), TaskRecords.of(result::write));
                context.progress();
            }
        }
    }

    private static Shredder open(ScanSettings settings, Configuration conf) throws IOException {
        int cores = conf.getInt(MRJobConfig.MAP_CPU_VCORES, MRJobConfig.DEFAULT_MAP_CPU_VCORES);
        ShredderOptions options = ShredderOptions.builder()
                .on(GpuRequest.ofMaps(settings, conf))
                .bufferBytes(BUFFER_BYTES)
                .cpuThreads(cores)
                .build();
        try {
            return Shredder.open(options);
        } catch (BackendUnavailableException e) {
            int gpus = GpuRequest.of(conf);
            if (gpus == 0) {
                throw e;
            }
            throw new IOException(
                    "YARN gave this task " + gpus + " GPUs, and the engine finds none in its container: "
                            + LastAttempt.reason(e),
                    e);
        }
    }

    /** What fails is tried again by another attempt, if there will be one. */
    private static PartResult scan(Shredder engine, ScanSettings settings, Part part, Context context)
            throws IOException {
        try {
            return new PartResult(chunks(engine, settings, part, context), "");
        } catch (IOException e) {
            if (LastAttempt.is(context, MRJobConfig.MAP_MAX_ATTEMPTS)) {
                return PartResult.failed(part.start(), LastAttempt.reason(e));
            }
            throw e;
        }
    }

    private static RangeChunks chunks(Shredder engine, ScanSettings settings, Part part, Context context)
            throws IOException {
        ScannedFile file = part.file();
        FileSystem fs = file.path().getFileSystem(context.getConfiguration());
        FileStatus status = fs.getFileStatus(file.path());
        if (status.getLen() != file.length() || ((HdfsFileStatus) status).getFileId() != file.fileId()) {
            throw new IOException(file.path() + " was changed since the scan began");
        }
        try (RangeFile open = new RangeFile(file.path().toString(), fs.open(file.path()), file.length())) {
            return new RangeChunker(engine, settings.params(), settings.recordsOf(file.path()))
                    .chunk(open, part.start(), part.end(), context::progress);
        }
    }
}
