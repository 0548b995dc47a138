// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.verify;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Manifest;
import io.shredder.hdfs.manifest.HdfsManifests;
import io.shredder.hdfs.scan.plan.LastAttempt;
import io.shredder.hdfs.scan.plan.ScanSplit;
import io.shredder.hdfs.scan.plan.ScanSplit.Part;
import io.shredder.hdfs.scan.plan.ScannedFile;
import io.shredder.hdfs.scan.plan.TaskRecords;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;

/** Reads the parts of its split and proves their chunks. */
public final class ProofMapper extends Mapper<NullWritable, NullWritable, BytesWritable, BytesWritable> {

    @Override
    public void run(Context context) throws IOException, InterruptedException {
        for (Part part : ((ScanSplit) context.getInputSplit()).parts()) {
            PartProof proof = prove(part, context);
            context.write(TaskRecords.of(part.file()::write), TaskRecords.of(proof::write));
            context.progress();
        }
    }

    /** What can't be read is tried again by another attempt, if there will be one. */
    private static PartProof prove(Part part, Context context) throws IOException {
        ScannedFile file = part.file();
        try {
            FileSystem fs = file.path().getFileSystem(context.getConfiguration());
            return prove(fs, part, context);
        } catch (FileNotFoundException e) {
            return PartProof.without(ProofState.FAILED, "it went away while it was verified");
        } catch (IOException e) {
            if (LastAttempt.is(context, MRJobConfig.MAP_MAX_ATTEMPTS)) {
                return PartProof.without(ProofState.FAILED, LastAttempt.reason(e));
            }
            throw e;
        }
    }

    private static PartProof prove(FileSystem fs, Part part, Context context) throws IOException {
        Path path = part.file().path();
        HdfsManifests.Lookup found;
        try {
            found = HdfsManifests.find(fs, path);
        } catch (DamagedDataException e) {
            return PartProof.without(ProofState.DAMAGED, "its manifest is damaged: " + LastAttempt.reason(e));
        }
        Optional<PartProof> without = without(found);
        if (without.isPresent()) {
            return without.get();
        }
        Manifest manifest = found.manifest().orElseThrow();
        PartProof proof;
        try (FSDataInputStream in = fs.open(path)) {
            proof = new ChunkReader(in, manifest, context::progress).prove(part.start(), part.end());
        }
        // A file that was replaced between looking and opening isn't damaged.
        return proof.differing() == 0
                ? proof
                : without(HdfsManifests.find(fs, path)).orElse(proof);
    }

    /** Empty if there is a manifest that may be used. */
    private static Optional<PartProof> without(HdfsManifests.Lookup found) {
        if (found.manifest().isPresent()) {
            return Optional.empty();
        }
        ProofState state = found.isStale() ? ProofState.STALE : ProofState.NO_MANIFEST;
        return Optional.of(PartProof.without(state, found.reason()));
    }
}
